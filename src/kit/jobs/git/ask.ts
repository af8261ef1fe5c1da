/** Questions to the model at the side, for commands: no tool runs, and the conversation knows nothing of them. */
import type { Desk } from '../../commands/command.ts'

export interface Side {
  /** Tokens that a question may take. */
  room: number
  tokens(text: string): number
  /** `doing`: what is said meanwhile. → what the model answered; undefined: it did not, which was said. */
  ask(question: string, doing: string): Promise<string | undefined>
}

/** The conversation stands before the question where most of the context is free; else it begins from nothing. */
export async function sideOf(
  { session, words, say, refuse, during }: Desk,
  { fresh = false } = {},
): Promise<Side> {
  if (!session.setup) await session.connect()
  const { limit = 0, system = '', wireTools = [] } = session.setup ?? {}
  const branch = !fresh && session.contextTokens < limit / 3
  const tokens = (text: string) => session.textTokens(text)
  const fixed = tokens(system) + tokens(JSON.stringify(wireTools))
  const used = branch ? Math.max(fixed, session.contextTokens) : fixed
  return {
    tokens,
    room: Math.max(256, Math.floor((limit - used) * 0.6)),
    async ask(question, doing) {
      const thread = session.thread({ branch, tools: [], policy: { maxTurns: 1, goOn: async () => false } })
      const { end } = await during(
        doing,
        signal => thread.run({ id: thread.newId(), role: 'user', content: question }, { signal }),
        thread.id,
      )
      if (end.reason === 'aborted') {
        say(words.notices.stopped)
        return undefined
      }
      if (end.error) refuse(words.say(end.error.told))
      return end.error ? undefined : end.text.trim()
    },
  }
}

/** A text without the fences and quotes that models put around what is to be used as it is. */
export function plainAnswer(text: string): string {
  const [, fenced] = /^\s*```\w*\n([\s\S]*?)\n```\s*$/.exec(text) ?? []
  return (fenced ?? text)
    .replace(/^(?:commit message|title)\s*:\s*/i, '')
    .trim()
    .replace(/^(["'`])(.*)\1$/s, '$2')
}
