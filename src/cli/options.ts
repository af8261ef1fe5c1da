/**
 * The table of everything that can be said on the command line. The parser reads by it and help is printed from it,
 * so that neither can know what the other does not.
 */
import { TOOL_CALLING } from '../config/config.ts'
import { THINK } from '../protocol/wire.ts'
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

const ruling = {
  allow: texts(['--allow'], 'RULE', 'a rule that allows, such as Bash(npm test:*); may be repeated'),
  ask: texts(['--ask'], 'RULE', 'a rule that asks'),
  deny: texts(['--deny'], 'RULE', 'a rule that denies'),
} as const satisfies Options

const demo = oneOfOrNone(
  ['--demo'],
  ['auto'],
  'run against the built-in demo server: no Ollama, no model; auto: only if no Ollama answers',
)

export const runOptions = {
  print: flag(['-p'], 'print: one run, the answer on stdout, then exit; again: another prompt after it'),
  ...configuring,
  ...ruling,
  agent: text(['--agent'], 'AGENT', 'who gopi is: build, plan, general, explore, or one of your own'),
  appendSystemPrompt: text(
    ['--append-system-prompt'],
    'TEXT',
    'told the model at the end of the system text',
  ),
  continue: flag(['-c', '--continue'], 'go on with the session of this directory that was written last'),
  resume: textOrNone(
    ['-r', '--resume'],
    'ID',
    'pick a session, or go on with this one (the start of an id is enough); the next word is the id',
  ),
  fork: text(['--fork'], 'ID', 'a new session from a copy of this one'),
  noSession: flag(['--no-session'], 'keep nothing on disk'),
  outputFormat: oneOf(['--output-format'], OUTPUT_FORMATS, 'with -p'),
  outputSchema: text(
    ['--output-schema'],
    'FILE',
    'with -p: the answer as JSON that follows this JSON Schema',
  ),
  inputFormat: oneOf(
    ['--input-format'],
    ['text', 'stream-json'],
    'with -p; stream-json: JSON lines on standard input steer the run (prompt, steer, follow_up, abort)',
  ),
  until: text(['--until'], 'COMMAND', 'with -p: runs go on until the command passes or --max-turns ends it'),
  maxTurns: number(['--max-turns'], {
    label: 'N',
    from: 1,
    help: 'turns in one run; default 25 (config max_turns)',
  }),
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
  /** What comes after the command's name; default: `[options]`. */
  usage?: string
  example?: string
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

export const isShell = (word: string | undefined): word is Shell => SHELLS.some(shell => shell === word)

/** The subcommands that there are, each with its own table. */
export const COMMANDS = {
  models: {
    summary: 'the models that are installed',
    usage: '[options] [NAME]',
    text: 'Lists the models that the Ollama server has. With a NAME: what holds for that model, and why.',
    options: { host, config, trust, debug, help },
  },
  init: {
    summary: 'finds a server and a model, and offers what is missing',
    text: 'Looks for an Ollama and a model, says which one gopi uses and why, and offers what is missing: starting the server, getting a model, choosing an installed one. What you choose is written to your config.yaml. Without a terminal it only says what is missing (exit code 3).',
    options: { host, model: configuring.model, config, trust, debug, help },
  },
  doctor: {
    summary: 'whether gopi has all it needs here, and what is missing',
    text: 'Looks at the server, the model, the programs, the sandbox, the terminal, the files and the folder; a line each: ok, warn or fail, with the remedy. Nothing is loaded or changed. The exit code is 1 if a line fails.',
    options: {
      model: configuring.model,
      host,
      speed: flag(['--speed'], 'also measures how fast the model reads and writes: a short real request'),
      json: flag(['--json'], 'one JSON object'),
      config,
      trust,
      debug,
      help,
    },
  },
  sessions: {
    summary: 'the sessions of this directory',
    usage: '[delete ID | prune --older-than 90d] [options]',
    text: 'Lists the sessions of this directory, the last written first: how each began (or its name), when it was written last, prompts, model and the tokens in its context. Go on with one by gopi --resume ID. delete removes one for good, prune those that were last written so long ago, each with what belongs to it.',
    options: {
      all: flag(['--all'], 'of all directories'),
      json: flag(['--json'], 'one JSON object a line'),
      olderThan: text(['--older-than'], 'AGE', 'for prune: days, weeks or hours, such as 90d, 12w or 36h'),
      yes: flag(['--yes'], 'delete without asking'),
      debug,
      help,
    },
  },
  config: {
    summary: 'what is configured, and where each value came from',
    usage: '[get KEY | set KEY VALUE] [options]',
    example: 'gopi config set ollama.model qwen3:8b',
    text: 'Prints the effective configuration, where each value came from and the files looked at. Flags come before the environment (GOPI_MODEL, OLLAMA_HOST), the project’s file, the user’s file and the defaults. get prints one value of it, or a section. set writes a key to the user’s file: it shows what changes, keeps comments, and leaves the file as it was beside it (.bak).',
    options: { ...configuring, json: flag(['--json'], 'one JSON object'), debug, help },
  },
  permission: {
    summary: 'what gopi would do with a call, and why',
    usage: 'check [options] TOOL ARGUMENT',
    example: "gopi permission check --allow 'Bash(git *)' bash 'git log && rm -rf ~'",
    text: 'gopi permission check TOOL ARGUMENT says what gopi would do with a call and why, and runs nothing. ARGUMENT is the command (bash), the path (read, write, edit, ls), or the arguments as a JSON object. Rules given here come on top of the configured ones.',
    options: {
      mode: configuring.mode,
      ...ruling,
      json: flag(['--json'], 'one JSON object'),
      trust,
      config,
      debug,
      help,
    },
  },
  mcp: {
    summary: 'servers of tools (MCP): list, get, add, remove, test',
    usage: 'list | get, remove, test NAME | add NAME COMMAND…|URL [options]',
    example: 'gopi mcp add files -- npx -y @modelcontextprotocol/server-filesystem .',
    text: 'Servers of tools stand under mcp: in config.yaml, and in a trusted project’s .mcp.json. list shows them, get one of them as it is written, add and remove change your config.yaml, test starts them and lists what they offer: it is then part of the next session’s prompt.',
    options: {
      env: texts(['--env'], 'NAME=VALUE', 'for add: a variable of its program; ${NAME} is one of yours'),
      header: texts(['--header'], 'NAME: VALUE', 'for add: a header of its requests'),
      json: flag(['--json'], 'one JSON object'),
      trust,
      config,
      debug,
      help,
    },
  },
  acp: {
    summary: 'gopi in your editor, by the Agent Client Protocol (ACP)',
    text: 'Speaks the Agent Client Protocol over standard input and output, for editors that start it: Zed, Neovim, Emacs, JetBrains. Nothing listens. Sessions, permissions, trust and configuration are those of the terminal; README has the lines for each editor.',
    options: {
      ...configuring,
      ...ruling,
      agent: runOptions.agent,
      maxTurns: runOptions.maxTurns,
      appendSystemPrompt: runOptions.appendSystemPrompt,
      noSession: runOptions.noSession,
      demo,
      debug,
      help,
    },
  },
  kit: {
    summary: 'what a session loads, from where, and what it costs',
    text: 'Lists the tools, commands, skills, agents and servers that a session in this directory would have, from where each comes, the tokens that it takes of every prompt, and what is left out and why. No server is started; extensions are loaded, and scripts asked what they offer.',
    options: { json: flag(['--json'], 'one JSON object'), trust, config, debug, help },
  },
  skills: {
    summary: 'the skills here, and what is wrong with any',
    text: 'Lists the skills that a session in this directory would have and from where each comes, and checks them: what is left out, and why.',
    options: { json: flag(['--json'], 'one JSON object'), trust, config, debug, help },
  },
  extensions: {
    summary: 'the extensions that are configured',
    text: 'Loads the extensions of the configuration and lists them with how long each took, and names those that fail.',
    options: { json: flag(['--json'], 'one JSON object'), trust, config, debug, help },
  },
  completion: {
    summary: 'a script that completes gopi’s command line in your shell',
    usage: SHELLS.join('|'),
    example: 'gopi completion bash >> ~/.bashrc',
    text: 'Prints a script for your shell that completes commands, options and their values, among them installed models and sessions of the directory.',
    options: { debug, help },
  },
  demo: {
    summary: 'a server that speaks Ollama’s protocol, with a script for a model',
    text: 'Serves Ollama’s protocol on loopback until Ctrl+C, for trying gopi (or another client) without Ollama. It answers to any model name and says gopi-demo; behind it is a script and no language model.',
    options: {
      port: number(['--port'], {
        label: 'N',
        from: 0,
        to: 65_535,
        help: 'the port; default: 11435, or any free one',
      }),
      prefill: number(['--prefill'], {
        label: 'TOKENS/S',
        from: 1,
        help: 'how fast it reads; default: 1500',
      }),
      decode: number(['--decode'], { label: 'TOKENS/S', from: 1, help: 'how fast it writes; default: 80' }),
      load: number(['--load'], {
        label: 'MS',
        from: 0,
        help: 'how long it takes to load a model; default: 300',
      }),
      debug,
      help,
    },
  },
} as const satisfies Record<string, CommandEntry>

export type CommandName = keyof typeof COMMANDS
