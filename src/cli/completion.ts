/** `gopi completion SHELL`: what a shell needs to complete gopi's command line, made from the option table. */
import type { Say } from './help.ts'
import type { Option, Options } from './option.ts'
import { COMMANDS, type CommandEntry, runOptions, SHELLS, type Shell } from './options.ts'

/** What commands and options do is told by zsh and fish, as `say` says it. No newline at the end. */
export const completionScript = (shell: Shell, say: Say = text => text): string =>
  ({ bash, zsh, fish })[shell](say).join('\n')

/** What only the server and this directory know, as commands that print a word a line. */
const MODELS = "gopi models 2>/dev/null | sed 's/^[* ] //; s/ .*//'"
const SESSIONS = "gopi sessions 2>/dev/null | sed 's/ .*//'"

/** How the value of an option is found: by a command, among files, or in a list. undefined: nobody knows it before. */
function valuesOf({
  label,
  takes,
  choices,
}: Option<unknown>): { command: string } | 'files' | readonly string[] | undefined {
  if (takes === 'nothing') return undefined
  if (choices.length > 0) return choices
  if (label === 'NAME') return { command: MODELS }
  if (label === 'ID') return { command: SESSIONS }
  return label === 'FILE' ? 'files' : undefined
}

/** The functions of the zsh script that run them. */
const FINDERS: Readonly<Record<string, string>> = { [MODELS]: '_gopi_models', [SESSIONS]: '_gopi_sessions' }

const commands = Object.entries<CommandEntry>(COMMANDS)
const WORDS: Readonly<Record<string, readonly string[]>> = { completion: SHELLS, permission: ['check'] }

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const namesOf = (options: Options): string =>
  Object.values(options)
    .flatMap(({ names }) => names)
    .join(' ')

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
    if (found === 'files') return [`    ${names}) COMPREPLY=($(compgen -f -- "$cur")); return ;;`]
    return [`    ${names}) words=${'command' in found ? `$(${found.command})` : quoted(found.join(' '))} ;;`]
  })
  const tables = commands.map(
    ([name, { options }]) =>
      `      ${name}) words=${quoted([...(WORDS[name] ?? []), namesOf(options)].join(' '))} ;;`,
  )
  return [
    '_gopi() {',
    '  local line=${COMP_LINE:0:COMP_POINT} cur prev word command= words=',
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
    `      *) words=${quoted(`${namesOf(runOptions)} ${commands.map(([name]) => name).join(' ')}`)} ;;`,
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
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
    'compdef _gopi gopi',
  ]
}

const quotedInside = (text: string): string => text.replaceAll(/[^\p{L}\w]/gu, sign => `\\${sign}`)

function fish(say: Say): string[] {
  const line = (option: Option<unknown>, condition: string): string => {
    const names = option.names.map(name =>
      name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
    )
    const found = option.takes === 'equals' ? undefined : valuesOf(option)
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
    return [
      'complete -c gopi',
      `-n ${quoted(condition)}`,
      ...names,
      ...values,
      `-d ${quoted(say(option.help))}`,
    ].join(' ')
  }
  const names = commands.map(([name]) => name).join(' ')
  const none = `not __fish_seen_subcommand_from ${names}`
  return [
    ...commands.map(
      ([name, { summary }]) =>
        `complete -c gopi -n ${quoted('__fish_use_subcommand')} -a ${name} -d ${quoted(say(summary))}`,
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
