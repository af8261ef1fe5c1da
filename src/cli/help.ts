/** The texts of --help, made from the tables that the parser reads by. */
import { wrap } from '../text/wrap.ts'
import { nameOf, type Option, type Options } from './option.ts'
import { COMMANDS, type CommandEntry, type CommandName, runOptions } from './options.ts'

const WIDTH = 80
const INDENT = '  '
/** Where explanations begin. */
const COLUMN = 28
/** What a short name takes: `-m, `. */
const SHORT = 4

/** Says an English text of the help in the person's language. */
export type Say = (text: string) => string
const asItIs: Say = text => text

/** What `gopi --help` prints; at most 80 columns, a newline at the end. */
export function topHelp(say: Say = asItIs): string {
  const rows = (pairs: readonly (readonly string[])[]) => rowsOf(pairs, say)
  const wrapped = (text: string) => wrap(say(text), WIDTH)
  const indented = (text: string) => wrap(say(text), WIDTH - INDENT.length).map(line => INDENT + line)
  return page([
    ...wrapped('gopi: a coding assistant for the terminal that works with a local model, by Ollama.'),
    '',
    'gopi [options] [prompt…]',
    ...indented('A conversation in this directory; a prompt given here is sent at once.'),
    'gopi -p [options] [prompt…]',
    ...indented(
      'One run, the answer on stdout, then exit. Standard input, when it is not a terminal, is appended to the prompt.',
    ),
    'gopi COMMAND [options]',
    ...rows(Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary])),
    '',
    ...wrapped(
      'A first word that is a command’s name is one (not after -p). After -- every word is the prompt’s.',
    ),
    '',
    say('Options:'),
    ...optionRows(runOptions, say),
    '',
    say('Environment:'),
    ...rows([
      ['GOPI_MODEL', 'the model; --model comes before it, config files after it'],
      ['OLLAMA_HOST', 'the Ollama server, by Ollama’s own rules; --host comes before it'],
      ['GOPI_HOME', 'where gopi keeps its files; default ~/.gopi'],
      ['GOPI_CONFIG', 'as --config'],
      ['GOPI_DEBUG=1', 'as --debug'],
      ['GOPI_LANG', 'en or zh; tui.language comes before it, LC_ALL, LC_MESSAGES, LANG after it'],
      ['VISUAL, EDITOR', 'what Ctrl+G opens the prompt in; default vi'],
    ]),
    '',
    say('Files:'),
    ...rows([
      ['$GOPI_HOME/config.yaml', 'yours; every key is explained in config.example.yaml'],
      ['.gopi/config.yaml', 'the project’s; only stricter permissions until the folder is trusted'],
      ['AGENTS.md, CLAUDE.md', 'what the model is told about the project; $GOPI_HOME has one for all'],
    ]),
    '',
    say('Exit codes:'),
    ...rows([
      ['0', 'done'],
      ['1', 'the run ended in an error'],
      ['2', 'bad arguments or configuration'],
      ['3', 'no Ollama at the host, or no such model'],
      ['4', 'ended by the turn limit, or because the model repeated itself'],
      ['5', 'done, but a call was denied because nobody could be asked'],
      ['130', 'interrupted (with -p)'],
    ]),
  ])
}

/** What `gopi COMMAND --help` prints. */
export function commandHelp(name: CommandName, say: Say = asItIs): string {
  const { text, options, usage: form = '[options]', example }: CommandEntry = COMMANDS[name]
  return page([
    `gopi ${name} ${form}`,
    '',
    ...wrap(say(text), WIDTH),
    '',
    ...(example === undefined ? [] : [say('Example:'), `  ${example}`, '']),
    say('Options:'),
    ...optionRows(options, say),
  ])
}

function page(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}

function optionRows(options: Options, say: Say): string[] {
  return rowsOf(
    Object.values(options).map(option => [usage(option), explanation(option, say)]),
    asItIs,
  )
}

/** `-m, --model NAME`. A choice is told on the right, where there is room. */
function usage(option: Option<unknown>): string {
  const long = nameOf(option).startsWith('--')
  const names = option.names.join(', ').padStart(long ? nameOf(option).length + SHORT : 0)
  const label = option.choices.length > 1 ? '…' : option.label
  switch (option.takes) {
    case 'nothing':
      return names
    case 'next':
      return `${names} ${label}`
    case 'word':
      return `${names} [${label}]`
    case 'equals':
      return `${names}[=${label}]`
  }
}

function explanation({ choices, help }: Option<unknown>, say: Say): string {
  return choices.length > 1 ? `${choices.join('|')}: ${say(help)}` : say(help)
}

/** Two columns, of which the right one is said. */
function rowsOf(pairs: readonly (readonly string[])[], say: Say): string[] {
  return pairs.flatMap(([left = '', right = '']) => {
    const [first = '', ...more] = wrap(say(right), WIDTH - COLUMN)
    const head = INDENT + left
    const below = (line: string) => ' '.repeat(COLUMN) + line
    // What reaches into the column has a line of its own.
    if (head.length >= COLUMN) return [head, ...[first, ...more].map(below)]
    return [head.padEnd(COLUMN) + first, ...more.map(below)]
  })
}
