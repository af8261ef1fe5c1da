/** The sessions that one screen shows, one after the other. */
import { statSync } from 'node:fs'
import type { App } from '../tui/app.ts'
import { sessionItems } from '../tui/list/items.ts'
import type { Wanted } from '../tui/talk.ts'
import type { RunCommand } from './args.ts'
import { begin, type Started } from './begin.ts'
import { gopiHome } from './home.ts'
import { type Next, talk } from './screen-talk.ts'
import { changedSinceTrusted, claims, rememberTrust, trustOf } from './trust.ts'

/** The session that the screen shows now. */
export interface Showing {
  /** Ends it, whatever runs in it. */
  end(): Promise<void>
  /** The command line that goes on with it; undefined: nothing is kept of it. */
  resumeCommand(): string | undefined
}

export interface ConverseOptions {
  cwd: string
  /** Hears of every session when it begins. */
  show(session: Showing): void
}

/** Resolves when the person leaves. */
export async function converse(app: App, command: RunCommand, { cwd, show }: ConverseOptions): Promise<void> {
  const trust = command.trust ?? (await askTrust(app, cwd))
  let next = await firstOf(app, command, cwd)
  while (next !== undefined) {
    const started = await begin(next.command, {
      approve: app.asking.approve,
      goOn: (turns, signal) => mayGoOn(app, turns, signal),
      trust,
      tell: message => app.say(message),
    })
    show({
      async end() {
        started.session.abort()
        await started.end()
      },
      resumeCommand: () => (isKept(started.session) ? `gopi --resume ${started.session.id}` : undefined),
    })
    const wanted = await talk(app, started, { cwd, ...next })
    next = following(command, wanted, started)
    await started.end()
    if (next) app.begin({ keep: next.isSame })
  }
}

async function mayGoOn(app: App, turns: number, signal: AbortSignal): Promise<boolean> {
  const { goOn, goOnFor } = app.words.questions
  return (await app.asking.confirm({ title: goOn(turns), text: goOnFor(turns), signal })) === true
}

/** `-r` without an id: the person chooses; nothing chosen is a way out. */
async function firstOf(app: App, command: RunCommand, cwd: string): Promise<Next | undefined> {
  if (command.resume !== true) return { command, isSame: false }
  const { pastSessions } = await import('./past-sessions.ts')
  const sessions = pastSessions(gopiHome(process.env), cwd)
  const { lists } = app.words
  const items = sessionItems(sessions, { words: app.words, now: Date.now() })
  const chosen = await app.asking.choose('session', { items, empty: lists.noSessions })
  return chosen === undefined ? undefined : { command: { ...command, resume: chosen }, isSame: false }
}

/** The command that the next session begins with; undefined: the person has left. */
function following(command: RunCommand, wanted: Wanted, { session }: Started): Next | undefined {
  const { continue: _, resume: __, fork: ___, ...fresh } = command
  const next = { ...fresh, prompt: [] }
  const other = (more: Partial<RunCommand> = {}): Next => ({ command: { ...next, ...more }, isSame: false })
  switch (wanted.type) {
    case 'leave':
      return undefined
    case 'new session':
      return other()
    case 'session':
      return other({ resume: wanted.id })
    case 'model':
      return {
        command: { ...next, model: wanted.name, ...(isKept(session) && { resume: session.id }) },
        isSame: true,
      }
  }
}

/** Nothing is kept of a session in which nothing was said, nor of one that the disk refused. */
const isKept = ({ sessionFile, messages }: Started['session']): boolean =>
  sessionFile !== undefined &&
  messages.length > 0 &&
  (statSync(sessionFile, { throwIfNoEntry: false })?.size ?? 0) > 0

/** A folder that brings instructions or configuration is asked about once. */
async function askTrust(app: App, cwd: string): Promise<boolean> {
  const home = gopiHome(process.env)
  const known = trustOf(home, cwd)
  const files = known === undefined ? claims(cwd) : []
  if (known !== undefined || files.length === 0) return known ?? false
  const { trust, trustFiles, trustHint } = app.words.questions
  const changed = changedSinceTrusted(home, cwd).map(app.words.notices.trustChanged)
  const text = [...changed, trustFiles, ...files.map(file => `  ${file}`), '', trustHint].join('\n')
  const trusted = await app.asking.confirm({ title: trust, text })
  if (trusted === undefined) return false
  await rememberTrust(home, cwd, trusted).catch(error => app.say(error.message, 'warning'))
  return trusted
}
