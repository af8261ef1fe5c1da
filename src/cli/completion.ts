/** `gopi completion SHELL`: what a shell needs to complete gopi's command line, made from the option table. */

import { builtinAgents } from '../kit/agents/builtin.ts'
import type { Say } from './help.ts'
import type { Option, Options } from './option.ts'
import { COMMANDS, type CommandEntry, runOptions, SHELLS, type Shell } from './options.ts'

/** What commands and options do is told by zsh and fish, as `say` says it. No newline at the end. */
export const completionScript = (shell: Shell, say: Say = text => text): string =>
  ({ bash, zsh, fish })[shell](say).join('\n')

/**
 * What only the server and this directory know, as commands that print a word a line: others chose these words, so no
 * shell may read them as its own language.
 */
const MODELS = "gopi models 2>/dev/null | sed 's/^[* ] //; s/  .*//'"
const SESSIONS = "gopi sessions 2>/dev/null | sed 's/  .*//'"

/** How the value of an option is found: by a command, among files, or in a list. undefined: nobody knows it before. */
function valuesOf({
  label,
  takes,
  choices,
}: Option<unknown>): { command: string } | 'files' | readonly string[] | undefined {
  if (takes === 'nothing') return undefined
  if (choices.length > 0) return choices
  if (label === 'NAME') return { command: MODELS }
  if (label === 'AGENT') return builtinAgents().map(({ name }) => name)
  if (label === 'ID') return { command: SESSIONS }
  return label === 'FILE' ? 'files' : undefined
}

/** The functions of the zsh script that run them. */
const FINDERS: Readonly<Record<string, string>> = { [MODELS]: '_gopi_models', [SESSIONS]: '_gopi_sessions' }

const commands = Object.entries<CommandEntry>(COMMANDS)
const WORDS: Readonly<Record<string, readonly string[]>> = {
  completion: SHELLS,
  permission: ['check'],
  mcp: ['list', 'get', 'add', 'remove', 'test'],
  sessions: ['delete', 'prune'],
  config: ['get', 'set'],
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const namesOf = (options: Options): string[] => Object.values(options).flatMap(({ names }) => names)

/** Words with colons are split by bash, which then wants only what comes behind the last one. */
function bash(): string[] {
  const all = [
    ...new Set(
      [runOptions, ...commands.map(([, { options }]) => options)].flatMap(options => Object.values(options)),
    ),
  ]
  const byNames = new Map(all.map(option => [option.names.join('|'), option]))
  const values = [...byNames].flatMap(([names, option]) => {
    const found = option.takes === 'equals' ? undefined : valuesOf(option)
    if (found === undefined && option.takes === 'next') return [`    ${names}) return ;;`]
    if (found === undefined) return []
    // Readline completes files.
    if (found === 'files') return [`    ${names}) return ;;`]
    return [`    ${names}) words=${'command' in found ? `$(${found.command})` : quoted(found.join('\n'))} ;;`]
  })
  const tables = commands.map(
    ([name, { options }]) =>
      `      ${name}) words=${quoted([...(WORDS[name] ?? []), ...namesOf(options)].join('\n'))} ;;`,
  )
  return [
    '_gopi() {',
    '  local line=${COMP_LINE:0:COMP_POINT} cur prev word command= words= typed',
    '  cur=${line##*[[:space:]]}',
    '  read -ra typed <<<"${line%"$cur"}"',
    '  prev=${typed[${#typed[@]}-1]}',
    '  for word in "${typed[@]:1}"; do',
    `    case $word in ${commands.map(([name]) => name).join('|')}) command=$word; break ;; esac`,
    '  done',
    '  case $prev in',
    ...values,
    '  esac',
    '  if [ -z "$words" ]; then',
    '    case $command in',
    ...tables,
    `      *) words=${quoted([...namesOf(runOptions), ...commands.map(([name]) => name)].join('\n'))} ;;`,
    '    esac',
    '  fi',
    // compgen -W would expand them: a model of the name $(…) would be run.
    '  COMPREPLY=()',
    '  while IFS= read -r word; do',
    '    case $word in "$cur"*) printf -v word %q "$word"; COMPREPLY+=("$word") ;; esac',
    '  done <<<"$words"',
    '  case $COMP_WORDBREAKS in *:*) COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*:}"}"}") ;; esac',
    '}',
    'complete -o default -F _gopi gopi',
  ]
}

function zsh(say: Say): string[] {
  const text = (help: string) => say(help).replaceAll(/[[\]:\\]/g, sign => `\\${sign}`)
  const spec = (option: Option<unknown>): string[] => {
    const { names, help, takes } = option
    const found = valuesOf(option)
    const source =
      found === undefined
        ? ' '
        : found === 'files'
          ? '_files'
          : 'command' in found
            ? FINDERS[found.command]
            : `(${found.join(' ')})`
    const tail = takes === 'nothing' ? '' : `:${text(option.label)}:${source}`
    const optional = takes === 'word' || takes === 'equals' ? ':' : ''
    return names.map(name =>
      quoted(
        `${takes === 'equals' ? `${name}=-` : name}[${text(help)}]${takes === 'nothing' ? '' : optional}${tail}`,
      ),
    )
  }
  const table = (options: Options) => Object.values(options).flatMap(spec)
  return [
    '#compdef gopi',
    `_gopi_models() { local -a found; found=(\${(f)"$(${MODELS})"}); compadd -a found }`,
    `_gopi_sessions() { local -a found; found=(\${(f)"$(${SESSIONS})"}); compadd -a found }`,
    '_gopi() {',
    '  local command word',
    `  for word in \${words[2,CURRENT-1]}; do case $word in (${commands.map(([name]) => name).join('|')}) command=$word; break ;; esac; done`,
    '  case $command in',
    ...commands.map(([name, { options }]) => {
      const more = (WORDS[name] ?? []).length > 0 ? ` ${quoted(`*:word:(${WORDS[name]?.join(' ')})`)}` : ''
      return `    ${name}) _arguments ${table(options).join(' ')} ${quoted(`1:command:(${name})`)}${more} ;;`
    }),
    `    *) _arguments ${table(runOptions).join(' ')} ${quoted(
      `1:command:((${commands.map(([name, { summary }]) => `${name}\\:${quotedInside(say(summary))}`).join(' ')}))`,
    )} ${quoted('*:prompt:_files')} ;;`,
    '  esac',
    '}',
    // Read by the shell, or loaded from its fpath with the first Tab.
    'if [ "$funcstack[1]" = _gopi ]; then _gopi "$@"; else compdef _gopi gopi; fi',
  ]
}

const quotedInside = (text: string): string => text.replaceAll(/[^\p{L}\w]/gu, sign => `\\${sign}`)

function fish(say: Say): string[] {
  const line = (option: Option<unknown>, condition: string): string => {
    const names = option.names.map(name =>
      name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
    )
    const found = valuesOf(option)
    const values =
      found === undefined || found === 'files'
        ? option.takes === 'next'
          ? found === 'files'
            ? ['-r', '-F']
            : ['-x']
          : []
        : [
            option.takes === 'next' ? '-x' : '-f',
            '-a',
            quoted('command' in found ? `(${found.command})` : found.join(' ')),
          ]
    const described = `-d ${quoted(say(option.help))}`
    const own = [`complete -c gopi -n ${quoted(condition)}`, ...names, ...values, described].join(' ')
    if (option.takes !== 'word' || values.length === 0) return own
    // To fish a value that may be left out stands behind an equals sign.
    return `${own}\ncomplete -c gopi -n ${quoted(isBehind([option]))} ${values.join(' ')}`
  }
  const isBehind = (options: readonly Option<unknown>[]): string =>
    `string match -qr -- "^(${options.flatMap(({ names }) => names).join('|')})\\$" (commandline -opc)[-1]`
  const names = commands.map(([name]) => name).join(' ')
  const valued = Object.values(runOptions).filter(option => option.takes === 'word' && valuesOf(option))
  const first = `__fish_use_subcommand; and not ${isBehind(valued)}`
  const none = `not __fish_seen_subcommand_from ${names}`
  return [
    ...commands.map(
      ([name, { summary }]) => `complete -c gopi -n ${quoted(first)} -a ${name} -d ${quoted(say(summary))}`,
    ),
    ...Object.values(runOptions).map(option => line(option, none)),
    ...commands.flatMap(([name, { options }]) => {
      const condition = `__fish_seen_subcommand_from ${name}`
      const words = WORDS[name]
      return [
        ...(words ? [`complete -c gopi -n ${quoted(condition)} -f -a ${quoted(words.join(' '))}`] : []),
        ...Object.values(options).map(option => line(option, condition)),
      ]
    }),
  ]
}
