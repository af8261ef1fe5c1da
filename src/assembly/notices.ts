/** What a session tells of its instructions and of the server, besides what is said in it. */
import type { Backend } from '../backends/backend.ts'
import type { Instructions } from '../context/instructions.ts'
import type { Memory } from '../protocol/memory.ts'
import type { Told } from '../protocol/sayings.ts'
import type { Session } from '../session/session.ts'
import { fieldsOf } from '../text/record.ts'
import { told } from '../words/sayings/told.ts'

export function instructionNotices({ ignored, links, cut }: Instructions): Told[] {
  return [
    ...(ignored.length > 0 ? [told('trust.instructions', { files: ignored })] : []),
    ...(links.length > 0 ? [told('instructions.link', { files: links })] : []),
    ...(cut.length > 0 ? [told('instructions.cut', { files: cut })] : []),
  ]
}

/** With the first sign of the model: does it run as it was asked to? Said once, where it does not. */
export function sayShortfall(session: Session, { shortfall, host }: Backend, memory: Memory): void {
  if (!shortfall) return
  const unsubscribe = session.subscribe(event => {
    const { model, context } = session.setup ?? {}
    const isSign = event.type === 'message_start' || (event.type === 'message' && event.role === 'assistant')
    if (!isSign || model === undefined || context === undefined) return
    unsubscribe()
    shortfall(model, context).then(
      told => {
        if (told && !isSaidToday(told, `${host} ${model}`, memory)) session.notice(told)
      },
      () => {},
    )
  })
}

/** What nobody can change within the day is said once in it: that a model runs on the CPU. */
function isSaidToday({ facts }: Told, key: string, memory: Memory): boolean {
  if (facts.case !== 'cpu' && facts.case !== 'partly_cpu') return false
  const today = new Date().toDateString()
  const isSaid = fieldsOf(memory.recall(`cpu ${key}`)).said === today
  if (!isSaid) memory.keep(`cpu ${key}`, { said: today })
  return isSaid
}
