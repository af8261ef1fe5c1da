/**
 * A task is a generator: it yields the calls it needs, gets their results, and returns the answer. Nothing is
 * remembered between requests: each one runs the task again through the results that the history holds.
 */
import { shellWord } from '../../text/shell-word.ts'
import type { Language, Scene } from './scene.ts'

export interface Call {
  name: string
  arguments: Record<string, unknown>
}

export type Task = Generator<(Call | undefined)[], string, string[]>

/** What a task may use: the language to answer in, and calls to tools that are really there. */
export interface Desk {
  language: Language
  /** One of two texts, by language. */
  say(en: string, zh: string): string
  /** A call to the tool, or the same by bash; undefined if neither is offered. */
  call(name: string, args: Record<string, string | number | boolean | undefined>): Call | undefined
}

/** Something the demo can do, and the requests for it, whose named groups the task is given. */
export interface Skill {
  phrases: readonly RegExp[]
  task(found: Record<string, string>, desk: Desk): Task
}

/** What the demo does now: calls, or the answer. */
export type Move = { calls: Call[] } | { answer: string }

/** Runs a task through the results that are there. */
export function advance(task: Task, results: readonly string[], desk: Desk): Move {
  const left = [...results]
  let step = task.next()
  while (!step.done) {
    const calls = step.value.filter(call => call !== undefined)
    if (calls.length < step.value.length) return { answer: withoutTool(desk) }
    const got = left.splice(0, calls.length)
    if (got.length < calls.length) return { calls: calls.slice(got.length) }
    if (got.some(wasDenied)) return { answer: afterDenial(desk) }
    step = task.next(got)
  }
  return { answer: step.value }
}

export function openDesk(scene: Scene): Desk {
  const { language, tools } = scene
  return {
    language,
    say: (en, zh) => (language === 'zh' ? zh : en),
    call(name, args) {
      const parameters = tools.get(name)
      if (!parameters) {
        const command = IN_BASH[name]?.(args)
        return tools.has('bash') && command ? { name: 'bash', arguments: { command } } : undefined
      }
      const known = Object.entries(args).filter(([key, value]) => value !== undefined && parameters.has(key))
      return { name, arguments: Object.fromEntries(known) }
    },
  }
}

const IN_BASH: Record<string, (args: Record<string, unknown>) => string> = {
  ls: ({ path }) => `ls -A ${shellWord(String(path ?? '.'))}`,
  read: ({ path }) => `cat -n ${shellWord(String(path))}`,
  find: ({ pattern }) =>
    `find . -name ${shellWord(String(pattern).replace(/^.*\//, ''))} -not -path './.git/*'`,
  grep: ({ pattern, path }) => `grep -rnE ${shellWord(String(pattern))} ${shellWord(String(path ?? '.'))}`,
}

function wasDenied(result: string): boolean {
  return /^(Denied: |The user denied this call)/.test(result)
}

function afterDenial(desk: Desk): string {
  return desk.say(
    'You did not allow that, so I left it. Nothing has been changed.',
    '您没有允许这一步，所以我没有做，也没有改动任何东西。',
  )
}

function withoutTool(desk: Desk): string {
  return desk.say(
    'I would need a tool for that which I was not given.',
    '要做这件事需要一个工具，但我没有得到它。',
  )
}
