/**
 * Every word that a face says by itself, in one person's language. What a model, a tool or the server says is not among
 * them. Keys and commands come in as they are printed, since keys can be changed; times are milliseconds.
 */

import { count, plural, size } from '../text/truncate.ts'
import { EN_ASKING } from './en-asking.ts'
import { EN_CELLS } from './en-cells.ts'
import { EN_DOING } from './en-doing.ts'
import { EN_HELPING } from './en-helping.ts'
import { EN_KIT_VIEW } from './en-kit.ts'
import { EN_PLAIN } from './en-plain.ts'
import { ago, time } from './en-time.ts'
import { FIRST } from './first.ts'
import { EN_SENTENCES } from './sayings/en.ts'
import { sayer, type Texts } from './sayings/sayings.ts'

const DEMO = "gopi's built-in demo: a script that shows how gopi works, and no language model."

export const EN = {
  /** The sentence of a saying; of one that is not known, or came without facts, the English one that is with it. */
  say: sayer(EN_SENTENCES),
  /** What is wrong with a command line or a configuration, which is found in English. */
  problem: (text: string): string => text,
  /** Lines out of sight. */
  moreLines: (lines: number) => plural(lines, 'more line', 'more lines'),
  time,
  /** Lines out of sight that a key shows. */
  moreLinesKey: (lines: number, key: string) => `${count(lines)} more · ${key}`,
  /** How much of its limit a command has used: `12 s / 120 s`. */
  ofLimit: (ms: number, limit: number) => `${Math.round(ms / 1000)} s / ${Math.round(limit / 1000)} s`,
  ago,
  tokens: (tokens: number) => plural(tokens, 'token'),
  /** Between the parts of a list: `read, write`. */
  listed: (parts: readonly string[]) => parts.join(', '),
  /** What something is, or holds: `tools: 526 tokens`. */
  told: (what: string, is: string) => `${what}: ${is}`,
  size,

  prompt: {
    /** Shown in the empty editor. */
    placeholder: FIRST.en.placeholder,
    /** The same while a run goes on: Enter steps in. */
    placeholderCommand: 'Say something: it waits for the command',
    placeholderRunning: 'Say something: it steps in at once',
    /** The same while gopi asks: keys go there. */
    placeholderAsked: 'Answer the question above first',
    /** Rows of a long prompt out of sight. */
    above: (rows: number) => `↑ ${count(rows)} more`,
    below: (rows: number) => `↓ ${count(rows)} more`,
    pasted: (lines: number) => `[pasted ${plural(lines, 'line')}]`,
  },
  footer: {
    phases: {
      waiting: 'waiting for the server',
      loading: 'loading the model',
      reading: 'reading',
      thinking: 'thinking',
      writing: 'writing',
      tool: 'running a tool',
      idle: 'ready',
      summary: 'Summarising the conversation so far',
      call: 'composing a call',
    },
    /** Of a call that is being written. */
    comesWhole: 'the server sends it whole',
    /** An estimate was exceeded; `Or`: also by a call that is being written, of which nothing is seen. */
    longer: 'longer than usual',
    /** Nothing was estimated. */
    orCall: 'or composing a call, which the server sends whole',
    longerOrCall: 'longer than usual, or composing a call, which the server sends whole',
    runs: (tool: string) => `running ${tool}`,
    /** A command is near its time limit. */
    moreTime: (key: string) => `${key} gives it more time`,
    /** A thought, or a command, goes on for a while. */
    enough: (key: string) => `${key} has it answer now`,
    toBackground: (key: string) => `${key} to the background`,
    /** How long the phase will still take, by an estimate. */
    left: (ms: number) => `about ${time(Math.max(1000, Math.round(ms / 1000) * 1000))}`,
    /** The server is reading so many tokens. */
    reading: (tokens: number) => `reading ${plural(tokens, 'token')}`,
    context: (used: string, limit: string, percent: number) => `context ${used} of ${limit} (${percent} %)`,
    contextShort: (percent: number) => `${percent} %`,
    /** Tokens of the last run that were newly read, and those the server still had. */
    read: (tokens: string) => `read ${tokens}`,
    reused: (tokens: string) => `reused ${tokens}`,
    perSecond: (tokens: string) => `${tokens} tok/s`,
    /** Of a mode that asks about edits, which the person has let run. */
    editsRun: (mode: string) => `${mode}, edits run`,
    untrusted: 'folder not trusted',
    demo: 'demo: no language model',
    noServer: 'no Ollama',
    noModel: 'no model',
    noSandbox: 'no sandbox',
    sandbox: 'sandbox',
    /** Hosts that are reached from it. */
    sandboxReaches: (hosts: string) => `sandbox → ${hosts}`,
    background: (running: number) => `${running} in the background`,
    moreBelow: (key: string) => `more below · ${key} goes to the end`,
    help: (key: string) => `${key} help`,
    stop: (key: string) => `${key} stops`,
  },
  modes: {
    ask: { name: FIRST.en.ask, does: 'reads freely, asks before it changes anything' },
    'auto-edit': {
      name: 'auto-edit',
      does: 'also edits files of the project, and runs commands in the sandbox, without asking',
    },
    plan: { name: 'plan', does: 'reads and plans, changes nothing' },
    yolo: { name: 'yolo', does: 'does nearly everything without asking' },
  },
  queue: {
    /** Words that step in as soon as they can. */
    steering: 'Steps in:',
    /** Words that wait for the end of the run. */
    followUps: (waiting: number) => (waiting === 1 ? 'Afterwards:' : `Afterwards (${waiting}):`),
    takeBack: (key: string) => `${key} takes the last one back`,
  },
  welcome: {
    model: 'model',
    directory: 'directory',
    instructions: 'instructions',
    skills: 'skills',
    servers: 'MCP servers',
    extensions: 'extensions',
    trusted: 'trusted',
    notTrusted: 'not trusted: its own instructions and configuration are not used (/trust asks again)',
    connecting: 'asking Ollama …',
    last: 'last time',
    goOn: ({ first, ago, key }: Texts<'first' | 'ago' | 'key'>) =>
      `${first} · ${ago} · c Enter, or ${key}, goes on with it`,
    try: 'try',
    tries: [
      '“Explain this project to me.”',
      '“What does @ do?”: @ names a file',
      '!ls: ! runs a command, and the model sees it',
    ],
    /** What the three keys to know do. */
    keys: { help: 'help', newline: 'new line', stop: 'stop' },
  },
  ...EN_CELLS,
  ...EN_ASKING,
  kit: EN_KIT_VIEW,
  lists: {
    models: 'Models',
    sessions: 'Sessions of this directory',
    themes: 'Themes',
    modes: 'Permission modes',
    filter: 'type to filter',
    /** Of a list that opened by itself. */
    typed: 'what you type goes to the prompt',
    nothing: 'nothing matches',
    hint: ({ choose, close }: Texts<'choose' | 'close'>) => `${choose} chooses · ${close} closes`,
    loading: 'asking Ollama …',
    noModels: (command: string) => `No model is installed; ${command} gets one.`,
    noSessions: 'There is no other session of this directory yet.',
    context: (tokens: string) => `context ${tokens}`,
    capabilities: {
      tools: 'tools',
      thinking: 'thinking',
      vision: 'images',
      noTools: 'tools as text',
      loaded: 'loaded',
    },
    /** A session without a prompt. */
    empty: '(nothing was said)',
    indexing: (files: number) => `reading the file names … ${count(files)} so far`,
    moreItems: (items: number) => `${count(items)} more`,
    prompts: (prompts: number) => plural(prompts, 'prompt'),
  },
  themes: {
    ...{ dark: 'for a dark background', light: 'for a light background', system: 'asks the terminal' },
    own: 'your own',
  },
  /** What keys do, said in a word or two. */
  hints: {
    ...{
      all: 'everything',
      commands: 'commands',
      files: 'files',
      shell: 'shell',
      mode: 'mode',
      help: 'help',
    },
    ...{ send: 'sends', newline: 'new line', editor: 'editor', complete: 'completes' },
    ...{ unfold: 'unfolds', copy: 'copies', back: 'back' },
  },
  /** The column beside the conversation. */
  side: {
    context: 'context',
    todo: 'to do',
    /** Agents, and commands in the background. */
    running: 'running',
    changed: 'changed',
    read: 'read',
    servers: 'MCP servers',
    /** Of the model; `gpu`: the share of it there, in per cent. */
    memory: (size: string, gpu: number) => `${size} in memory, ${gpu} % on the GPU`,
    narrow: (columns: number) => `The column at the side needs ${columns} columns.`,
    whichChange: 'Changed by this session',
  },
  palette: {
    title: 'All there is',
    kinds: { model: 'model', session: 'session', file: 'file' },
  },
  search: {
    /** Before what is looked for in the transcript. */
    find: 'Find: ',
    /** `isMore`: so many at least. */
    found: ({ at, of, isMore }: { at: number; of: number; isMore: boolean }) =>
      `${count(at)} of ${count(of)}${isMore ? '+' : ''}`,
    keys: ({ older, newer, close }: Texts<'older' | 'newer' | 'close'>) =>
      `${older} older · ${newer} newer · ${close} ends`,
    notFound: 'not found',
    /** The title of what was sent before. */
    history: 'Sent before',
    noHistory: 'Nothing was sent yet.',
  },
  notices: {
    copied: (characters: number) => `Copied ${plural(characters, 'character')}.`,
    nothingToCopy: 'There is no answer to copy yet.',
    copyTooLong: (most: string) => `The terminal takes at most ${most}; nothing was copied.`,
    mouseOn: 'Mouse on: the wheel scrolls, and what you select is copied.',
    mouseOff: 'Mouse off: select text as always.',
    theme: (name: string) => `Theme: ${name}`,
    mode: (name: string, does: string) => `Mode ${name}: ${does}.`,
    model: (name: string) => `The next prompt goes to ${name}.`,
    /** Chosen for this start, or by the configuration. */
    yolo: 'MODE YOLO: gopi does nearly everything WITHOUT ASKING here.',
    leaveAgain: (key: string) => `Press ${key} again to leave.`,
    /** `names` of them, not always all. */
    endedAlong: (all: number, names: readonly string[], among: 'gopi' | 'session') =>
      `Ended with ${among === 'gopi' ? 'gopi' : 'the session before'} (${all}): ${names.join(' · ')}${names.length < all ? ' · …' : ''}`,
    resumeLine: (command: string) => `To go on with this session: ${command}`,
    stopped: 'Stopped.',
    /** After a run that failed. */
    askAgain: (command: string) => `${command} asks once more`,
    /** A session that is taken up again ends with a prompt. */
    unanswered: (command: string) => `That was not answered to the end; ${command} asks once more.`,
    nothingRunning: 'Nothing is running.',
    notSent: (words: string) => `Not sent: ${words}`,
    notSentLastTime: (words: string) => `Not sent last time: ${words}`,
    noSuchCommand: (command: string, near: string | undefined) =>
      `There is no command ${command}; ${near === undefined ? '/help lists them.' : `did you mean ${near}?`}`,
    /** A command was given nothing; `what` it expects. */
    expects: (command: string, what: string) => `${command} expects ${what}.`,
    compacting: 'Summarising the conversation …',
    examining: 'Looking around …',
    nothingToCompact: 'There is nothing to summarise yet.',
    notWhileRunning: (command: string) => `${command} works when nothing runs.`,
    /** A command that line by line there is nothing for to do. */
    onScreenOnly: (command: string) => `${command} is for the full screen: it does nothing line by line.`,
    /** A command that makes sense in a conversation only. */
    notInPrint: (command: string) => `${command} is for a conversation: it does nothing with -p.`,
    noSuchMode: (name: string, known: string) => `Expected a mode (${known}); came ${name}.`,
    thinking: (level: string) => `Thinking: ${level}. It holds from the next request on.`,
    noSuchThinking: (name: string, known: string) => `Expected one of ${known}; came ${name}.`,
    noThought: 'The model is not thinking now.',
    noSuchTheme: (name: string, known: string) => `Expected a theme (${known}); came ${name}.`,
    editorMissing: (program: string) =>
      `The editor ${program} was not found; set VISUAL or EDITOR to one that is installed.`,
    editorFailed: (program: string, why: string) =>
      `The editor ${program} failed (${why}); the prompt is as it was.`,
    historyFailed: (why: string) => `The prompt could not be kept in the history: ${why}`,
    denied: (why: string) => `denied: ${why}`,
    toTheModel: (text: string) => `gopi to the model: ${text}`,
    /** A file for whose sake a folder is asked about again. */
    trustChanged: (file: string) => `${file} has changed since you trusted this folder.`,
    demo: `This is ${DEMO}`,
    /** The demo, since no Ollama answers at the host. */
    demoInstead: (host: string) => `No Ollama answers at ${host}, so this is ${DEMO}`,
    /** The command that asks about the folder. */
    nothingToTrust:
      'This folder has no instructions and no configuration of its own: there is nothing to trust.',
    trustNow: (isTrusted: boolean): string =>
      isTrusted
        ? 'This folder is trusted now: its own instructions and configuration are used.'
        : 'This folder is not trusted now: its own instructions and configuration are not used.',
    trustNotKept: (why: string) => `The answer could not be kept: ${why}`,
    /** Titles of the terminal's own notifications. */
    done: 'gopi is done',
    asks: 'gopi asks',
    failed: 'gopi could not go on',
  },
  ...EN_HELPING,
  ...EN_DOING,
  ...EN_PLAIN,
}
