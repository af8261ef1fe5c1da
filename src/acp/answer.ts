/** From a prompt of the editor's to the reason why its turn is over. */
import type { ContentBlock, SessionUpdate, StopReason } from '@agentclientprotocol/sdk'
import type { RunResult } from '../session/session.ts'
import type { Buffers } from '../tools/buffers.ts'
import { type At, commandWork, planWork, shellWork } from './commands.ts'
import { FAILED, Refusal, WRONG_PARAMS } from './handlers.ts'
import type { Bases } from './paths.ts'
import { spoken } from './said.ts'

export interface Asking {
  at: At
  bases: Bases
  buffers: Buffers | undefined
  send(update: SessionUpdate): void
  /** Whether the person has ended the run to say why not; once. */
  isSaying(): boolean
}

/** Resolves when the run that the words end up in is over. Throws `Refusal`. */
export async function answer(blocks: readonly ContentBlock[], asking: Asking): Promise<StopReason> {
  const { at, bases, buffers, send } = asking
  const { own, session, words, updates } = at
  const said = await spoken(blocks, { ...bases, held: async real => buffers?.read(real) })
  if (said.leftOut.length > 0) updates.say(own.leftOut(words.listed(said.leftOut)), 'warning')
  const images = await visible(said.images, at)
  const { text, typed } = said
  if (text === '' && images.length === 0) throw new Refusal(WRONG_PARAMS, own.nothingSaid)
  const work = workOf(typed, at)
  if (!work && session.messages.length === 0 && typed !== '')
    send({ sessionUpdate: 'session_info_update', title: typed.split('\n')[0]?.slice(0, 80) ?? '' })
  const first = await (work ?? session.steer(text, { typed, ...(images.length > 0 && { images }) }))
  const isPlanned = first?.reason === 'done' && session.mode === 'plan' && !session.isStreaming
  const last = isPlanned ? ((await planWork(first.text, at)) ?? first) : first
  return last ? reasonOf(last, asking) : 'end_turn'
}

/** A command's; undefined: it is words for the model. */
const workOf = (typed: string, at: At) =>
  typed.startsWith('!') ? shellWork(typed, at) : commandWork(typed, at)

/** Those that the model can be shown. */
async function visible(images: string[], { session, words, updates }: At): Promise<string[]> {
  if (images.length === 0) return images
  await session.connect().catch(() => {}) // The prompt meets the same failure and tells it.
  if (await session.sees()) return images
  updates.say(words.doing.image.noVision(session.model ?? ''), 'warning')
  return []
}

function reasonOf({ reason, error, unsent }: RunResult, { at, isSaying }: Asking): StopReason {
  const { words, own, session, updates } = at
  for (const lost of unsent) updates.say(words.notices.notSent(lost))
  if (isSaying()) {
    updates.say(own.sayWhyNot)
    return 'end_turn'
  }
  if (reason === 'error') throw new Refusal(FAILED, error ? words.say(error) : reason, error)
  if (reason === 'aborted') return 'cancelled'
  if (reason === 'limit') return 'max_turn_requests'
  const last = session.messages.findLast(message => message.role === 'assistant')
  return last?.stop_reason === 'length' ? 'max_tokens' : 'end_turn'
}
