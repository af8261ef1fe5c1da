/**
 * The command line, read by the tables of options.ts. Nothing heavy is loaded here: `--version` and `--help` are
 * answered before the rest of gopi is there.
 */
import { UsageError } from '../protocol/errors.ts'
import { nameOf, type Values } from './option.ts'
import { COMMANDS, type CommandName, LATER, runOptions } from './options.ts'
import { type Reading, readOption } from './read-option.ts'

/** A conversation, or one run of it with `-p`. */
export interface RunCommand extends Omit<Values<typeof runOptions>, 'print' | 'yolo' | 'help' | 'version'> {
  kind: 'run'
  print: boolean
  /** The words that are no options. */
  prompt: string[]
}

type Said<K extends CommandName> = Values<(typeof COMMANDS)[K]['options']>

export type ModelsCommand = { kind: 'models' } & Omit<Said<'models'>, 'help'>
export type SessionsCommand = { kind: 'sessions' } & Omit<Said<'sessions'>, 'help'>
export type ConfigCommand = { kind: 'config' } & Omit<Said<'config'>, 'help' | 'yolo'>
export type DemoCommand = { kind: 'demo' } & Omit<Said<'demo'>, 'help'>
export type PermissionCommand = { kind: 'permission'; tool: string; argument: string } & Omit<
  Said<'permission'>,
  'help'
>
/** A subcommand whose name is taken and which is not built yet. */
export type LaterCommand = { kind: 'later'; name: (typeof LATER)[number] }

export type Command =
  | RunCommand
  | ModelsCommand
  | SessionsCommand
  | ConfigCommand
  | DemoCommand
  | PermissionCommand
  | LaterCommand
  | { kind: 'help'; topic?: CommandName }
  | { kind: 'version' }

/**
 * `argv` is what stands after the program's name. A first word that is a subcommand's name is one, unless -p stands
 * before it; after `--` there are only words. `--yolo` becomes the mode. Throws one `UsageError` with all problems.
 */
export function parseArgs(argv: readonly string[]): Command {
  const reading: Reading = { table: runOptions, values: new Map(), problems: [] }
  const { values, problems } = reading
  const words: string[] = []
  const rest = [...argv]
  let command: CommandName | undefined

  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const first = command === undefined && words.length === 0 && !values.has('print')
    const later = first ? LATER.find(name => name === word) : undefined
    if (word === '--') words.push(...rest.splice(0))
    else if (word.startsWith('-') && word !== '-') readOption(word, rest, reading)
    else if (later !== undefined) return { kind: 'later', name: later }
    else if (first && isCommand(word)) {
      command = word
      reading.table = COMMANDS[word].options
      problems.push(...misplaced(reading, word))
    } else words.push(word)
  }

  if (values.has('help')) return command === undefined ? { kind: 'help' } : { kind: 'help', topic: command }
  if (values.has('version') && command === undefined) return { kind: 'version' }
  problems.push(...contradictions(values))
  const call = command === 'permission' ? permissionCall(words) : undefined
  if (typeof call === 'string') problems.push(call)
  else if (command !== undefined && call === undefined && words.length > 0) {
    problems.push(`gopi ${command} takes no words; came ${JSON.stringify(words.join(' '))}`)
  }
  if (problems.length > 0) throw new UsageError(problems)

  if (values.delete('yolo')) values.set('mode', 'yolo')
  // Each value was read by its own row of the table that the types are made from.
  const said = Object.fromEntries(values)
  return (
    command === undefined
      ? { kind: 'run', print: false, ...said, prompt: words }
      : { kind: command, ...said, ...(call as object | undefined) }
  ) as Command
}

/** `check TOOL ARGUMENT`; a text: what is wrong. */
function permissionCall(words: readonly string[]): { tool: string; argument: string } | string {
  const [verb, tool, argument, ...more] = words
  return verb === 'check' && tool !== undefined && argument !== undefined && more.length === 0
    ? { tool, argument }
    : `gopi permission expects check TOOL ARGUMENT (quote a command that holds blanks); ${JSON.stringify(words.join(' '))} came`
}

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word)
}

/** Options that stand before a subcommand which does not know them. */
function misplaced({ table, values }: Reading, command: CommandName): string[] {
  const strangers = Object.entries(runOptions).filter(
    ([key]) => values.has(key) && !Object.hasOwn(table, key),
  )
  return strangers.map(
    ([, option]) => `gopi ${command} takes no ${nameOf(option)}; put -- before ${command} if it is a prompt`,
  )
}

/** What cannot be meant together. */
function contradictions(values: ReadonlyMap<string, unknown>): string[] {
  const has = (key: keyof typeof runOptions) => values.has(key)
  const sessions = (['continue', 'resume', 'fork', 'noSession'] as const).filter(has)
  const names = sessions.map(key => nameOf(runOptions[key])).join(' and ')
  const mode = values.get('mode')
  const rows: [boolean, string][] = [
    [sessions.length > 1, `${names} contradict each other, for each says which session it is; give one`],
    [has('print') && has('plain'), '-p and --plain contradict each other: print once, or converse; give one'],
    [has('outputFormat') && !has('print'), '--output-format is for -p; give both or none'],
    [has('print') && values.get('resume') === true, '-p cannot ask which session; give --resume an id'],
    [
      has('yolo') && has('mode') && mode !== 'yolo',
      `--yolo and --mode ${mode} contradict each other; give one`,
    ],
    [
      values.get('demo') === true && has('host'),
      '--demo and --host contradict each other, for the demo is a server itself; give one (or --demo=auto)',
    ],
  ]
  return rows.filter(([holds]) => holds).map(([, problem]) => problem)
}
