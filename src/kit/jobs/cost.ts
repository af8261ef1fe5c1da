import { storyOf, tallyOf } from '../../session/story.ts'
import type { Desk } from '../commands/command.ts'

/** `/cost`: tokens and seconds of the session, and its price where the configuration tells. */
export async function cost({ session, words, show }: Desk): Promise<void> {
  const { cost: said } = words.doing
  const tally = tallyOf(storyOf(session), model => session.priceOf(model))
  const { prompts, turns, prompt_tokens, read_tokens, completion_tokens, side } = tally
  const rows = [
    said.turns(prompts, turns),
    said.read(read_tokens, prompt_tokens),
    said.written(completion_tokens),
    ...(side.turns > 0 ? [said.side(side.turns, side.read_tokens, side.completion_tokens)] : []),
    ...(tally.cost === undefined ? [] : [said.price(tally.cost.toFixed(4))]),
    said.time({
      load: words.time(tally.load_ms),
      prefill: words.time(tally.prefill_ms),
      decode: words.time(tally.decode_ms),
      tools: words.time(tally.tools_ms),
    }),
  ]
  show(rows.join('\n'))
}
