/**
 * The table of everything that can be said on the command line. The parser reads by it and help is printed from it,
 * so that neither can know what the other does not.
 */
import { THINK, TOOL_CALLING } from '../config/config.ts'
import { flag, number, type Options, oneOf, oneOfOrNone, text, textOrNone, texts } from './option.ts'

const MODES = ['ask', 'auto-edit', 'plan', 'yolo'] as const
const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const

const help = flag(['-h', '--help'], 'this text')
const debug = flag(
  ['--debug'],
  'requests, timings and decisions as JSON lines in $GOPI_HOME/logs/gopi.log; of prompts only lengths and hashes',
)

const host = text(['--host'], 'URL', 'the Ollama server')
const trust = flag(['--trust'], 'treat this folder as trusted for this start')
const config = text(['--config'], 'FILE', 'in place of the user’s config file')

/** Options that decide what configuration holds. */
const configuring = {
  model: text(['-m', '--model'], 'NAME', 'the model, such as qwen3:8b'),
  host,
  toolCalling: oneOf(
    ['--tool-calling'],
    TOOL_CALLING,
    'how tool calls travel; auto asks the server what the model can do',
  ),
  think: oneOf(['--think'], THINK, 'thinking before the answer; default off, for the sake of speed'),
  mode: oneOf(['--mode'], MODES, 'what runs without asking; default ask'),
  yolo: flag(['--yolo'], 'the same as --mode yolo'),
  trust,
  config,
} as const satisfies Options

const demo = oneOfOrNone(
  ['--demo'],
  ['auto'],
  'run against the built-in demo server: no Ollama, no model; auto: only if no Ollama answers',
)

export const runOptions = {
  print: flag(['-p'], 'print: one run, the answer on stdout, then exit'),
  ...configuring,
  continue: flag(['-c', '--continue'], 'go on with the session of this directory that was written last'),
  resume: textOrNone(
    ['-r', '--resume'],
    'ID',
    'pick a session, or go on with this one (the start of an id is enough); the next word is the id',
  ),
  fork: text(['--fork'], 'ID', 'a new session from a copy of this one'),
  noSession: flag(['--no-session'], 'keep nothing on disk'),
  outputFormat: oneOf(['--output-format'], OUTPUT_FORMATS, 'with -p'),
  maxTurns: number(['--max-turns'], { label: 'N', from: 1, help: 'turns in one run; default 25' }),
  plain: flag(['--plain'], 'line mode: for pipes, screen readers, dumb terminals'),
  demo,
  debug,
  version: flag(['--version'], 'the version'),
  help,
} as const satisfies Options

export interface CommandEntry {
  summary: string
  text: string
  options: Options
  /** What stands after the command's name; default: `[options]`. */
  usage?: string
  example?: string
}

/** The subcommands that there are, each with its own table. */
export const COMMANDS = {
  models: {
    summary: 'the models that are installed',
    text: 'Lists the models that the Ollama server has.',
    options: { host, config, trust, debug, help },
  },
  sessions: {
    summary: 'the sessions of this directory',
    text: 'Lists the sessions of this directory, the last written first. Go on with one by gopi --resume ID.',
    options: { debug, help },
  },
  config: {
    summary: 'what is configured, and where each value came from',
    text: 'Prints the effective configuration, where each value came from and the files looked at. Flags come before the environment (GOPI_MODEL, OLLAMA_HOST), the project’s file, the user’s file and the defaults.',
    options: { ...configuring, json: flag(['--json'], 'one JSON object'), debug, help },
  },
  permission: {
    summary: 'what gopi would do with a call, and why',
    usage: 'check [options] TOOL ARGUMENT',
    example: "gopi permission check --allow 'Bash(git *)' bash 'git log && rm -rf ~'",
    text: 'gopi permission check TOOL ARGUMENT says what gopi would do with a call and why, and runs nothing. ARGUMENT is the command (bash), the path (read, write, edit, ls), or the arguments as a JSON object. Rules given here come on top of the configured ones.',
    options: {
      mode: configuring.mode,
      allow: texts(['--allow'], 'RULE', 'a rule that allows, such as Bash(npm test:*); may be repeated'),
      ask: texts(['--ask'], 'RULE', 'a rule that asks'),
      deny: texts(['--deny'], 'RULE', 'a rule that denies'),
      json: flag(['--json'], 'one JSON object'),
      trust,
      config,
      debug,
      help,
    },
  },
  demo: {
    summary: 'a server that speaks Ollama’s protocol, with a script for a model',
    text: 'Serves Ollama’s protocol on loopback until Ctrl+C, for trying gopi (or another client) without Ollama. It answers to any model name and says gopi-demo; behind it is a script and no language model.',
    options: {
      port: number(['--port'], { label: 'N', from: 0, to: 65_535, help: 'the port; default: any free one' }),
      prefill: number(['--prefill'], { label: 'TOKENS/S', from: 1, help: 'how fast it reads' }),
      decode: number(['--decode'], { label: 'TOKENS/S', from: 1, help: 'how fast it writes' }),
      load: number(['--load'], { label: 'MS', from: 0, help: 'how long it takes to load a model' }),
      debug,
      help,
    },
  },
} as const satisfies Record<string, CommandEntry>

export type CommandName = keyof typeof COMMANDS

/** Subcommands whose names are taken and which are not built yet. */
export const LATER = ['init', 'doctor', 'completion'] as const
