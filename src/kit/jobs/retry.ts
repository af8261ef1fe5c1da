/** `/retry`: the last prompt once more. The answer that there was stays in a session of its own. */
import { keepCopy } from '../../session/branch.ts'
import type { Desk } from '../commands/command.ts'

export async function retry(
  { session, words, say, refuse, prompt, end }: Desk,
  model: string,
): Promise<void> {
  const { retry: said } = words.doing
  const [last] = await session.back.prompts()
  if (!last) return refuse(said.none)
  const at = session.messages.findIndex(({ id }) => id === last.id)
  const message = session.messages[at]
  // Where the server was not there, nothing is lost.
  const hasAnswer = session.messages.slice(at + 1).some(({ role }) => role === 'assistant')
  const copy = hasAnswer ? keepCopy(session) : undefined
  await session.back.rewind(last, {
    scope: 'conversation',
    plan: { files: [], lost: { paths: [], more: 0 } },
  })
  say(copy === undefined ? said.again : said.kept(copy))
  // What a command has sent goes again as it went.
  const isSentBy = message?.role === 'user' && message.shown?.startsWith('/')
  if (model === '') prompt(isSentBy ? message.content : last.text, isSentBy ? message.shown : undefined)
  else end({ type: 'model', name: model, prompt: last.text })
}
