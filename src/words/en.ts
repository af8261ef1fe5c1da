import { count, plural } from '../text/truncate.ts'
import { EN_HELPING } from './en-helping.ts'
import { FIRST } from './first.ts'
import type { Words } from './words.ts'

const PLAIN_HELP = `Type what you want done and press Enter. A line that ends in \\ goes on in the next.
While gopi works: Enter steps in with your words at once · /later TEXT queues them for afterwards
Ctrl+C stops the run, twice leaves · /stop · /quit (or Ctrl+D) · /help
/clear begins a new session · /compact [WHAT TO KEEP] summarises the conversation so far`

const DEMO = "gopi's built-in demo: a script that shows how gopi works, and no language model."

function time(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const rest = seconds % 60
  return `${Math.floor(seconds / 60)} min${rest === 0 ? '' : ` ${rest} s`}`
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${plural(minutes, 'minute')} ago`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${plural(hours, 'hour')} ago` : `${plural(Math.floor(hours / 24), 'day')} ago`
}

export const EN: Words = {
  moreLines: lines => plural(lines, 'more line', 'more lines'),
  time,
  ago,
  tokens: tokens => plural(tokens, 'token'),
  listed: parts => parts.join(', '),

  prompt: {
    placeholder: FIRST.en.placeholder,
    placeholderRunning: 'Say something: it steps in at once',
    pasted: lines => `[pasted ${plural(lines, 'line')}]`,
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
    },
    left: ms => `about ${time(Math.max(1000, Math.round(ms / 1000) * 1000))}`,
    reading: tokens => `reading ${plural(tokens, 'token')}`,
    context: (used, limit, percent) => `context ${used} of ${limit} (${percent} %)`,
    contextShort: percent => `${percent} %`,
    read: tokens => `read ${tokens}`,
    reused: tokens => `reused ${tokens}`,
    perSecond: tokens => `${tokens} tokens/s`,
    untrusted: 'folder not trusted',
    demo: 'demo: no language model',
    noServer: 'no Ollama',
    moreBelow: key => `more below · ${key} goes to the end`,
    help: key => `${key} help`,
    stop: key => `${key} stops`,
  },
  modes: {
    ask: { name: FIRST.en.ask, does: 'reads freely, asks before it changes or runs anything' },
    'auto-edit': { name: 'auto-edit', does: 'also edits files of the project without asking' },
    plan: { name: 'plan', does: 'reads and plans, changes nothing' },
    yolo: { name: 'yolo', does: 'does nearly everything without asking' },
  },
  queue: {
    steering: 'Steps in:',
    followUps: waiting => (waiting === 1 ? 'Afterwards:' : `Afterwards (${waiting}):`),
    takeBack: key => `${key} takes the last one back`,
  },
  welcome: {
    model: 'model',
    directory: 'directory',
    instructions: 'instructions',
    trusted: 'trusted',
    notTrusted: 'not trusted: its own instructions and configuration are not used',
    connecting: 'asking Ollama …',
    keys: { help: 'help', newline: 'new line', stop: 'stop' },
  },
  cells: {
    thinking: 'Thinking',
    thought: ms => `Thought for ${time(ms)}`,
    compacted: (before, after) =>
      `The conversation so far was summarised: ${count(before)} → ${plural(after, 'token')}`,
  },
  tool: {
    exit: code => `exit ${code}`,
    within: (pattern, place) => `${pattern} in ${place}`,
    denied: 'denied',
    stopped: 'stopped',
    outOfTime: 'out of time',
  },
  approval: {
    title: {
      command: () => 'Run this command?',
      diff: () => 'Make this change?',
      text: tool => `Let ${tool} do this?`,
    },
    dangerTitle: {
      command: () => 'Dangerous: run this command?',
      diff: () => 'Dangerous: make this change?',
      text: tool => `Dangerous: let ${tool} do this?`,
    },
    why: 'Asks because',
    touches: 'Touches',
    danger: 'It is asked about every time, whatever is allowed.',
    revealed: 'Invisible characters are written out.',
    buttons: {
      once: 'once',
      session: 'this session',
      save: 'always',
      deny: 'no',
      denyWithReason: 'no, and say why',
      denyAll: 'no to all',
    },
    rules: {
      session: rules => (rules === 1 ? 'Allowed for this session:' : 'Allowed together for this session:'),
      save: rules => (rules === 1 ? 'Rule to be saved:' : 'Rules to be saved:'),
    },
    save: ({ confirm, back }) => `${confirm} saves it and goes on · ${back} goes back`,
    saved: 'Saved in your config.yaml, under permission.allow.',
    reason: 'What shall the model do instead?',
    reasonHint: ({ send, back }) => `${send} sends it to the model · ${back} goes back`,
    scroll: ({ up, down }) => `${up} ${down} scroll`,
  },
  questions: {
    trust: 'Do you trust this folder?',
    trustFiles: 'It has its own instructions or configuration for gopi:',
    trustHint:
      'They tell the model what to do, and may allow commands. Without trust gopi works and leaves them out.',
    goOn: turns => `${plural(turns, 'turn')} so far. Go on?`,
    goOnFor: turns => `go on for ${turns} more`,
    yes: 'yes',
    no: 'no',
  },
  lists: {
    models: 'Models',
    sessions: 'Sessions of this directory',
    themes: 'Themes',
    modes: 'Permission modes',
    filter: 'type to filter',
    nothing: 'nothing matches',
    hint: ({ choose, close }) => `${choose} chooses · ${close} closes`,
    loading: 'asking Ollama …',
    noModels: command => `No model is installed; ${command} gets one.`,
    noSessions: 'There is no other session of this directory yet.',
    context: tokens => `context ${tokens}`,
    capabilities: {
      tools: 'tools',
      thinking: 'thinking',
      vision: 'images',
      noTools: 'tools as text',
      loaded: 'loaded',
    },
    empty: '(nothing was said)',
    indexing: files => `reading the file names … ${count(files)} so far`,
    moreItems: items => `${count(items)} more`,
  },
  themes: { dark: 'for a dark background', light: 'for a light background', system: 'asks the terminal' },
  search: {
    find: 'Find: ',
    found: ({ next, close }) => `${next} next · ${close} ends`,
    notFound: 'not found',
    history: 'Sent before: ',
    historyHint: ({ next, take, close }) => `${next} earlier · ${take} takes it · ${close} ends`,
    historyNotFound: 'no such prompt',
  },
  notices: {
    copied: characters => `Copied ${plural(characters, 'character')}.`,
    nothingToCopy: 'There is no answer to copy yet.',
    copyTooLong: most => `The terminal takes at most ${most}; nothing was copied.`,
    mouseOn: 'Mouse on: the wheel scrolls; hold Shift to select text.',
    mouseOff: 'Mouse off: select text as always.',
    theme: name => `Theme: ${name}`,
    mode: (name, does) => `Mode ${name}: ${does}.`,
    model: name => `The next prompt goes to ${name}.`,
    leaveAgain: key => `Press ${key} again to leave.`,
    resumeLine: command => `To go on with this session: ${command}`,
    stopped: 'Stopped.',
    nothingRunning: 'Nothing is running.',
    notSent: words => `Not sent: ${words}`,
    notSentLastTime: words => `Not sent last time: ${words}`,
    noSuchCommand: (command, near) =>
      `There is no command ${command}; ${near === undefined ? '/help lists them' : `did you mean ${near}?`}`,
    laterNeedsWords: '/later expects the words that are to wait.',
    compacting: 'Summarising the conversation …',
    nothingToCompact: 'There is nothing to summarise yet.',
    notWhileRunning: command => `${command} works when nothing runs.`,
    noSuchMode: (name, known) => `Expected a mode (${known}); came ${name}.`,
    noSuchTheme: (name, known) => `Expected a theme (${known}); came ${name}.`,
    editorMissing: program =>
      `The editor ${program} was not found; set VISUAL or EDITOR to one that is installed.`,
    editorFailed: (program, why) => `The editor ${program} failed (${why}); the prompt is as it was.`,
    historyFailed: why => `The prompt could not be kept in the history: ${why}`,
    denied: why => `denied: ${why}`,
    toTheModel: text => `gopi to the model: ${text}`,
    trustChanged: file => `${file} has changed since you trusted this folder.`,
    demo: `This is ${DEMO}`,
    demoInstead: host => `No Ollama answers at ${host}, so this is ${DEMO}`,
    trustNotKept: why => `The answer could not be kept: ${why}`,
    done: 'gopi is done',
    asks: 'gopi asks',
    failed: 'gopi could not go on',
  },
  ...EN_HELPING,
  plain: {
    greeting: ({ version, model, dialect, host, mode }) =>
      `gopi ${version} · ${model} (${dialect}) at ${host} · ${mode} · /help`,
    help: PLAIN_HELP,
    thinking: 'thinking',
    wantsToRun: (tool, why) => `gopi wants to run ${tool}: ${why}`,
    forSession: rules => `a, for this session: ${rules}`,
    forAlways: rules => `s, saved for always: ${rules}`,
    runIt: letters => `Run it? (${letters}, n, or e and what the model should do instead) `,
    goOn: turns => `${turns} turns so far: go on for as many more? (y/n) `,
    trust: files => `This folder has its own instructions or configuration for gopi:\n  ${files}`,
    trustQuestion: 'Do you trust it? (y/n) ',
    whichSession: 'Which session? ',
    expectedNumber: most => `Expected a number from 1 to ${most}.`,
    context: (used, limit, percent) => `[context ${used} of ${limit} tokens, ${percent} %]`,
    waitingForInput: 'waiting for the end of standard input (it is a pipe) …',
  },
}
