/**
 * Every word that a face says by itself, in one person's language. What a model, a tool or the server says is not among
 * them. Keys and commands come in as they are printed, since keys can be changed; times are milliseconds.
 */
import type { Helping } from './helping.ts'

export interface Words extends Helping {
  /** Lines out of sight. */
  moreLines(lines: number): string
  /** `0.4 s`, `8 s`, `1 min 20 s`. */
  time(ms: number): string
  /** How long ago something was: `5 minutes ago`. */
  ago(ms: number): string
  tokens(count: number): string
  /** Between the parts of a list: `read, write`. */
  listed(parts: readonly string[]): string

  prompt: PromptWords
  footer: FooterWords
  modes: Readonly<Record<ModeName, { name: string; does: string }>>
  queue: QueueWords
  welcome: WelcomeWords
  cells: CellWords
  tool: ToolWords
  approval: ApprovalWords
  questions: QuestionWords
  lists: ListWords
  themes: Readonly<Record<'dark' | 'light' | 'system', string>>
  search: SearchWords
  notices: NoticeWords
  plain: PlainWords
}

export type ModeName = 'ask' | 'auto-edit' | 'plan' | 'yolo'
export type PhaseName = 'waiting' | 'loading' | 'reading' | 'thinking' | 'writing' | 'tool' | 'idle'

export interface PromptWords {
  /** Stands in the empty editor. */
  placeholder: string
  /** The same while a run goes on: Enter steps in. */
  placeholderRunning: string
  pasted(lines: number): string
}

export interface FooterWords {
  phases: Readonly<Record<PhaseName, string>>
  /** How long the phase will still take, by an estimate. */
  left(ms: number): string
  /** The server is reading so many tokens. */
  reading(tokens: number): string
  context(used: string, limit: string, percent: number): string
  contextShort(percent: number): string
  /** Tokens of the last turn that were newly read, and those the server still had. */
  read(tokens: string): string
  reused(tokens: string): string
  perSecond(tokens: string): string
  untrusted: string
  demo: string
  noServer: string
  moreBelow(key: string): string
  help(key: string): string
  stop(key: string): string
}

export interface QueueWords {
  /** Words that step in as soon as they can. */
  steering: string
  /** Words that wait for the end of the run. */
  followUps(count: number): string
  takeBack(key: string): string
}

export interface WelcomeWords {
  model: string
  directory: string
  instructions: string
  trusted: string
  notTrusted: string
  connecting: string
  /** What the three keys to know do. */
  keys: Readonly<Record<'help' | 'newline' | 'stop', string>>
}

export interface CellWords {
  thinking: string
  thought(ms: number): string
  compacted(before: number, after: number): string
}

/** See `text/tool-line.ts`. */
export interface ToolWords {
  exit(code: number): string
  within(pattern: string, place: string): string
  denied: string
  stopped: string
  outOfTime: string
}

export interface ApprovalWords {
  title: Readonly<Record<'command' | 'diff' | 'text', (tool: string) => string>>
  dangerTitle: Readonly<Record<'command' | 'diff' | 'text', (tool: string) => string>>
  why: string
  touches: string
  danger: string
  /** Something of it would have been invisible. */
  revealed: string
  buttons: Readonly<Record<'once' | 'session' | 'save' | 'deny' | 'denyWithReason' | 'denyAll', string>>
  /** What a button would let through from now on. */
  rules: Readonly<Record<'session' | 'save', (count: number) => string>>
  /** The rule was shown; Enter writes it. */
  save(keys: { confirm: string; back: string }): string
  saved: string
  reason: string
  reasonHint(keys: { send: string; back: string }): string
  scroll(keys: { up: string; down: string }): string
}

export interface QuestionWords {
  trust: string
  trustFiles: string
  trustHint: string
  goOn(turns: number): string
  goOnFor(turns: number): string
  yes: string
  no: string
}

export interface ListWords {
  models: string
  sessions: string
  themes: string
  modes: string
  filter: string
  nothing: string
  hint(keys: { choose: string; close: string }): string
  loading: string
  noModels(command: string): string
  noSessions: string
  context(tokens: string): string
  capabilities: Readonly<Record<'tools' | 'thinking' | 'vision' | 'noTools' | 'loaded', string>>
  /** A session without a prompt. */
  empty: string
  indexing(files: number): string
  moreItems(count: number): string
}

export interface SearchWords {
  /** Before what is looked for in the transcript. */
  find: string
  found(keys: { next: string; close: string }): string
  notFound: string
  /** Before what is looked for in the history. */
  history: string
  historyHint(keys: { next: string; take: string; close: string }): string
  historyNotFound: string
}

export interface NoticeWords {
  copied(characters: number): string
  nothingToCopy: string
  copyTooLong(most: string): string
  mouseOn: string
  mouseOff: string
  theme(name: string): string
  mode(name: string, does: string): string
  model(name: string): string
  leaveAgain(key: string): string
  resumeLine(command: string): string
  stopped: string
  nothingRunning: string
  notSent(words: string): string
  notSentLastTime(words: string): string
  noSuchCommand(command: string, near: string | undefined): string
  laterNeedsWords: string
  compacting: string
  nothingToCompact: string
  notWhileRunning(command: string): string
  noSuchMode(name: string, known: string): string
  noSuchTheme(name: string, known: string): string
  editorMissing(program: string): string
  editorFailed(program: string, why: string): string
  historyFailed(why: string): string
  denied(why: string): string
  toTheModel(text: string): string
  trustNotKept(why: string): string
  demo: string
  /** The demo, since no Ollama answers at the host. */
  demoInstead(host: string): string
  /** A file for whose sake a folder is asked about again. */
  trustChanged(file: string): string
  /** Titles of the terminal's own notifications. */
  done: string
  asks: string
  failed: string
}

/** What the line mode alone says. */
export interface PlainWords {
  greeting(facts: { version: string; model: string; dialect: string; host: string; mode: string }): string
  help: string
  thinking: string
  wantsToRun(tool: string, why: string): string
  /** What the letters a and s would set. */
  forSession(rules: string): string
  forAlways(rules: string): string
  /** `letters`: those that say yes. */
  runIt(letters: string): string
  goOn(turns: number): string
  trust(files: string): string
  trustQuestion: string
  whichSession: string
  expectedNumber(most: number): string
  context(used: number, limit: number, percent: number): string
  waitingForInput: string
}
