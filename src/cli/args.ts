/**
 * The command line, read by the tables of options.ts. Nothing heavy is loaded here: `--version` and `--help` are
 * answered before the rest of gopi is there.
 */
import { UsageError } from '../protocol/errors.ts'
import { nearest, typingSlips } from '../text/nearest.ts'
import { nameOf, type Values } from './option.ts'
import { COMMANDS, type CommandName, isShell, runOptions, type Shell } from './options.ts'
import { type Reading, readOption } from './read-option.ts'

/** A conversation, or one run of it with `-p`. */
export interface RunCommand extends Omit<Values<typeof runOptions>, 'print' | 'yolo' | 'help' | 'version'> {
  kind: 'run'
  print: boolean
  /** The words that are no options. */
  prompt: string[]
  /** The person has just chosen the model, here, for this folder. */
  chosen?: true
  /** Those after each further -p: prompts that follow, each after the run before. */
  more?: string[][]
}

type Said<K extends CommandName> = Values<(typeof COMMANDS)[K]['options']>

export type ModelsCommand = { kind: 'models'; name?: string } & Omit<Said<'models'>, 'help'>
export type SessionsCommand = { kind: 'sessions'; verb?: 'delete' | 'prune'; id?: string } & Omit<
  Said<'sessions'>,
  'help'
>
export type ConfigCommand = { kind: 'config'; verb?: 'get' | 'set'; key?: string; value?: string } & Omit<
  Said<'config'>,
  'help' | 'yolo'
>
export type DemoCommand = { kind: 'demo' } & Omit<Said<'demo'>, 'help'>
export type PermissionCommand = { kind: 'permission'; tool: string; argument: string } & Omit<
  Said<'permission'>,
  'help'
>
export type McpCommand = { kind: 'mcp'; verb: McpVerb; name?: string; rest: string[] } & Omit<
  Said<'mcp'>,
  'help'
>
export type AcpCommand = { kind: 'acp' } & Omit<Said<'acp'>, 'help' | 'yolo'>
export type KitCommand = { kind: 'kit' | 'skills' | 'extensions' } & Omit<Said<'kit'>, 'help'>
export type InitCommand = { kind: 'init' } & Omit<Said<'init'>, 'help'>
export type DoctorCommand = { kind: 'doctor' } & Omit<Said<'doctor'>, 'help'>
export type CompletionCommand = { kind: 'completion'; shell: Shell }

export type Command =
  | RunCommand
  | ModelsCommand
  | SessionsCommand
  | ConfigCommand
  | DemoCommand
  | PermissionCommand
  | McpCommand
  | AcpCommand
  | KitCommand
  | InitCommand
  | DoctorCommand
  | CompletionCommand
  | { kind: 'help'; topic?: CommandName }
  | { kind: 'version' }

/**
 * `argv` is what comes after the program's name. A first word that is a subcommand's name is one, unless -p comes
 * before it; an only word that is nearly one is a slip. After `--` there are only words. `--yolo` becomes the mode.
 * Throws one `UsageError` with all problems.
 */
export function parseArgs(argv: readonly string[]): Command {
  const reading: Reading = { table: runOptions, values: new Map(), problems: [] }
  const { values, problems } = reading
  const words: string[] = []
  const more: string[][] = []
  const rest = [...argv]
  let command: CommandName | undefined
  let slip: string | undefined

  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const first = command === undefined && words.length === 0 && !values.has('print')
    if (word === '--') (more.at(-1) ?? words).push(...rest.splice(0))
    else if (word === '-p' && values.has('print') && command === undefined) more.push([])
    else if (word.startsWith('-') && word !== '-') readOption(word, rest, reading)
    else if (first && isCommand(word)) {
      command = word
      reading.table = COMMANDS[word].options
      problems.push(...misplaced(reading, word))
    } else {
      if (first) slip = word
      ;(more.at(-1) ?? words).push(word)
    }
  }

  if (values.has('help')) return command === undefined ? { kind: 'help' } : { kind: 'help', topic: command }
  if (values.has('version') && command === undefined) return { kind: 'version' }
  problems.push(...contradictions(values))
  const meant =
    slip !== undefined && words.length === 1 && !values.has('print') ? commandNear(slip) : undefined
  if (meant !== undefined)
    problems.push(`Did you mean gopi ${meant}? If ${JSON.stringify(slip)} is a prompt, put -- before it`)
  const call =
    command === 'permission'
      ? permissionCall(words)
      : command === 'mcp'
        ? mcpCall(words)
        : command === 'completion'
          ? shellCall(words)
          : command === 'sessions' && words.length > 0
            ? sessionsCall(words, values)
            : command === 'config' && words.length > 0
              ? configCall(words)
              : undefined
  if (typeof call === 'string') problems.push(call)
  else if (command !== undefined && call === undefined && words.length > namesTaken(command, words)) {
    problems.push(`gopi ${command} takes no words; came ${JSON.stringify(words.join(' '))}`)
  }
  if (problems.length > 0) throw new UsageError(problems)

  if (values.delete('yolo')) values.set('mode', 'yolo')
  // Each value was read by its own row of the table that the types are made from.
  const said = Object.fromEntries(values)
  return (
    command === undefined
      ? { kind: 'run', print: false, ...said, prompt: words, ...(more.length > 0 && { more }) }
      : { kind: command, ...said, ...(call as object | undefined), ...modelNamed(command, words) }
  ) as Command
}

/** The subcommand that a word was probably meant to be: two slips of typing away at most, fewer in a short word. */
function commandNear(word: string): string | undefined {
  const near = nearest(word, Object.keys(COMMANDS))
  return near !== undefined && typingSlips(word.toLowerCase(), near) <= 2 ? near : undefined
}

/** How many of the words may be names. */
const namesTaken = (command: CommandName, [first = '-']: readonly string[]): number =>
  command === 'models' && !first.startsWith('-') ? 1 : 0

const modelNamed = (command: CommandName, [name]: readonly string[]) =>
  command === 'models' && name !== undefined ? { name } : {}

const came = (words: readonly string[]): string =>
  words.length === 0 ? 'nothing came' : `${JSON.stringify(words.join(' '))} came`

/** `check TOOL ARGUMENT`; a text: what is wrong. */
function permissionCall(words: readonly string[]): { tool: string; argument: string } | string {
  const [verb, tool, argument, ...more] = words
  return verb === 'check' && tool !== undefined && argument !== undefined && more.length === 0
    ? { tool, argument }
    : `gopi permission expects check TOOL ARGUMENT (quote a command that holds blanks); ${came(words)}`
}

const MCP_VERBS = ['list', 'get', 'add', 'remove', 'test'] as const
type McpVerb = (typeof MCP_VERBS)[number]

/** The verb and what comes after it; a text: what is wrong. */
function mcpCall([first = 'list', name, ...rest]: readonly string[]):
  | Pick<McpCommand, 'verb' | 'name' | 'rest'>
  | string {
  const verb = MCP_VERBS.find(one => one === first)
  const isGood =
    verb === 'add'
      ? name !== undefined && rest.length > 0
      : rest.length === 0 && (verb === 'test' || (verb === 'list') === (name === undefined))
  return verb !== undefined && isGood
    ? { verb, ...(name !== undefined && { name }), rest }
    : 'gopi mcp expects list, get NAME, add NAME COMMAND… (or URL), remove NAME, or test [NAME]; a command with options comes after --'
}

function shellCall(words: readonly string[]): { shell: Shell } | string {
  const [shell, ...more] = words
  return isShell(shell) && more.length === 0
    ? { shell }
    : `gopi completion expects bash, zsh or fish; ${came(words)}`
}

/** `delete ID`, `prune`; a text: what is wrong. */
function sessionsCall(
  words: readonly string[],
  values: ReadonlyMap<string, unknown>,
): Pick<SessionsCommand, 'verb' | 'id'> | string {
  const [verb, id, ...more] = words
  if (verb === 'delete' && id !== undefined && more.length === 0) return { verb, id }
  if (verb === 'prune' && id === undefined)
    return values.has('olderThan') ? { verb } : 'gopi sessions prune expects --older-than, such as 90d'
  return `gopi sessions expects nothing, delete ID, or prune --older-than 90d; ${came(words)}`
}

/** `get KEY` or `set KEY VALUE`; a text: what is wrong. */
function configCall(words: readonly string[]): Pick<ConfigCommand, 'verb' | 'key' | 'value'> | string {
  const [verb, key, value, ...more] = words
  if (verb === 'get' && key !== undefined && value === undefined) return { verb, key }
  if (verb === 'set' && key !== undefined && value !== undefined && more.length === 0)
    return { verb, key, value }
  if (verb === 'get') return 'gopi config get expects a KEY, such as gopi config get ollama.model'
  if (verb === 'set')
    return 'gopi config set expects a KEY and a VALUE, such as gopi config set ollama.model qwen3:8b'
  return `gopi config expects nothing, get KEY, or set KEY VALUE; ${came(words)}`
}

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word)
}

/** Options that come before a subcommand which does not know them. */
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
    [has('inputFormat') && !has('print'), '--input-format is for -p; give both or none'],
    [has('outputFormat') && !has('print'), '--output-format is for -p; give both or none'],
    [has('outputSchema') && !has('print'), '--output-schema is for -p; give both or none'],
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
