/** What the model answers in the benches. They are named, because the server runs in a process of its own. */

import type { ChatBody } from '../src/demo/request.ts'
import type { DemoModel, Reply } from '../test/support/demo/reply.ts'
import { answer, nextCall } from './task/script.ts'

/** Turns of the bench of the tool loop; the first few are to warm up. */
export const loopTurns = 105

const call = (name: string, args: Record<string, unknown>) => ({ name, arguments: args })

/** Twenty prompts with thirty calls between them. */
export const talkTurns = 20
const talk: Reply[] = Array.from({ length: talkTurns }, (_, n): Reply[] => [
  { calls: [call('read', { path: 'a.txt', offset: n + 1 })] },
  ...(n % 2 === 0 ? [{ calls: [call('bash', { command: `echo turn ${n}` })] }] : []),
  `What you ask about stands in line ${n + 1} of the file, and the number there is ${n * 7}.`,
]).flat()

const isSummary = ({ messages }: ChatBody): boolean =>
  messages.at(-1)?.content.startsWith('Stop working for a moment') ?? false

export const scripts = {
  /** `echo hi`, again and again. */
  loop: (_, index) =>
    index < loopTurns ? { calls: [call('bash', { command: `echo hi ${index}` })] } : 'done',
  /** A short answer to everything. */
  words: () => 'Here is what you asked for.',
  talk: (_, index) => talk[index],
  /** Long answers, which fill a small context with the third one. */
  filling: (request, index) => {
    if (isSummary(request)) return 'Task: count words.\nNext: nothing.'
    return [['abc '.repeat(5_000)], 'Short.', ['abc '.repeat(3_000)]][index] ?? 'Short.'
  },
  /** The task that other assistants are given too. */
  task: request => {
    const call = nextCall(request)
    return call ? { calls: [call] } : answer
  },
  /** An answer of 2,000 characters, in paragraphs. */
  answer: () =>
    Array.from({ length: 5 }, (_, n) => `${n + 1}. ${'some words of an answer '.repeat(17)}`.slice(0, 398))
      .join('\n\n')
      .padEnd(2_000, '.'),
} satisfies Record<string, DemoModel>

export type ScriptName = keyof typeof scripts
