/** The sessions that one screen shows, one after the other. */

import { claims, rememberTrust, trustOf } from '../assembly/trust.ts'
import { gopiHome } from '../config/home.ts'
import { endedLine } from '../kit/ended.ts'
import { RunError, UsageError } from '../protocol/errors.ts'
import type { App } from '../tui/app.ts'
import { sessionItems } from '../tui/list/items.ts'
import type { RunCommand } from './args.ts'
import { begin, type Started } from './begin.ts'
import { following, isKept, withModel } from './following.ts'
import { listedSessions } from './screen-past.ts'
import { type Around, type Next, talk } from './screen-talk.ts'

/** The session that the screen shows now. */
export interface Showing {
  /** Ends it, whatever runs in it. */
  end(): Promise<void>
  /** The command line that resumes it; undefined: nothing of it is kept. */
  resumeCommand(): string | undefined
  /** Commands and agents that end with it. */
  alongside(): readonly string[]
}

export interface ConverseOptions {
  cwd: string
  /** Hears of every session when it begins. */
  show(session: Showing): void
  /** gopi has started a server for the person. */
  own: Around['own']
}

/** Resolves when the person leaves. */
export async function converse(
  app: App,
  command: RunCommand,
  { cwd, show, own }: ConverseOptions,
): Promise<void> {
  let trust = command.trust ?? (await askTrust(app, cwd))
  let next: Next | undefined = await firstOf(app, command, cwd)
  /** Goes on with the conversation before. */
  let back: RunCommand | undefined
  while (next !== undefined) {
    const { isSame }: Next = next
    let started: Started | undefined
    try {
      started = await begin(next.command, {
        approve: app.asking.approve,
        goOn: (turns, signal) => mayGoOn(app, turns, signal),
        trust,
        // Who was asked knows, and the greeting says it.
        untrustedTold: true,
        tell: message => app.say(message),
      })
      show(showing(started))
      const wanted = await talk(app, started, { cwd, own, ...next, mayGoBack: back !== undefined })
      if (wanted.type === 'demo') {
        next = { command: inDemo(command), isSame: false }
        continue
      }
      const { session } = started
      const then = following(command, wanted, session)
      back = withModel(command, session.model ?? '', session)
      next = then && { command: then, isSame: ['model', 'agent', 'trust'].includes(wanted.type) }
      if (wanted.type === 'trust') {
        const before = trust
        trust = await askAgain(app, cwd, before)
        // The greeting above says otherwise.
        if (trust !== before) app.say(app.words.notices.trustNow(trust))
      }
    } catch (error) {
      // A model or a session that a command named and that there is not ends nothing.
      if (!back || !(error instanceof UsageError || error instanceof RunError)) throw error
      next = { command: back, isSame, because: error }
      back = undefined
    } finally {
      await started?.end()
    }
    if (!next) break
    app.begin({ keep: next.isSame })
    const ended = endedLine(started?.session.alongside ?? [], 'session', app.words)
    if (ended !== undefined) app.say(ended)
  }
}

function inDemo({ host: _, model: __, ...command }: RunCommand): RunCommand {
  return { ...command, demo: true }
}

const showing = (started: Started): Showing => ({
  async end() {
    started.session.abort()
    await started.end()
  },
  resumeCommand: () => (isKept(started.session) ? `gopi --resume ${started.session.id}` : undefined),
  alongside: () => started.session.alongside,
})

async function mayGoOn(app: App, turns: number, signal: AbortSignal): Promise<boolean> {
  const { goOn, goOnFor } = app.words.questions
  return (await app.asking.confirm({ title: goOn(turns), text: goOnFor(turns), signal })) === true
}

/** `-r` without an id: the person chooses; choosing nothing is a way out. */
async function firstOf(app: App, command: RunCommand, cwd: string): Promise<Next | undefined> {
  if (command.resume !== true) return { command, isSame: false }
  const sessions = await listedSessions(app, gopiHome(process.env), cwd)
  const { lists } = app.words
  const items = sessionItems(sessions, { words: app.words, now: Date.now() })
  const chosen = await app.asking.choose('session', { items, empty: lists.noSessions })
  return chosen === undefined ? undefined : { command: { ...command, resume: chosen }, isSame: false }
}

/** A folder that brings instructions or configuration is asked about once. */
async function askTrust(app: App, cwd: string): Promise<boolean> {
  const known = trustOf(gopiHome(process.env), cwd)
  return known ?? (await ask(app, cwd)) ?? false
}

async function askAgain(app: App, cwd: string, before: boolean): Promise<boolean> {
  if (claims(cwd).length === 0) app.say(app.words.notices.nothingToTrust)
  return (await ask(app, cwd)) ?? before
}

/** undefined: there is nothing to ask about, or the person leaves. */
async function ask(app: App, cwd: string): Promise<boolean | undefined> {
  const home = gopiHome(process.env)
  if (claims(cwd).length === 0) return undefined
  const { trustQuestion } = await import('./trust-question.ts')
  const question = await trustQuestion({ home, cwd }, app.words)
  if (!question) return undefined
  const { about, texts } = question
  const text = [...about, ...texts].join('\n')
  const trusted = await app.asking.confirm({ title: app.words.questions.trust, text })
  if (trusted === undefined) return undefined
  await rememberTrust(home, cwd, trusted).catch(error =>
    app.say(app.words.notices.trustNotKept(error.message), 'warning'),
  )
  return trusted
}
