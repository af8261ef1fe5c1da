/** One session on the screen, from the greeting to what the person wants next. */
import { homedir } from 'node:os'
import path from 'node:path'
import { claims } from '../assembly/trust.ts'
import { gopiHome } from '../config/home.ts'
import type { LoadedConfig } from '../config/load.ts'
import { ownThemes } from '../config/themes.ts'
import { gitBranch } from '../context/volatile.ts'
import type { Wanted } from '../kit/commands/command.ts'
import { RunError, UsageError } from '../protocol/errors.ts'
import type { Session } from '../session/session.ts'
import type { App } from '../tui/app.ts'
import { recentFiles } from '../tui/complete/recent.ts'
import { Hands } from '../tui/hands.ts'
import { createKeymap } from '../tui/keymap.ts'
import { unreached } from '../tui/status.ts'
import { Talk } from '../tui/talk.ts'
import { isTmux } from '../tui/window/modes.ts'
import { THEMES } from '../tui/window/theme.ts'
import { explain } from '../words/explain.ts'
import { loadTalkWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import type { RunCommand } from './args.ts'
import type { Started } from './begin.ts'
import { keepChosen } from './following.ts'
import type { OwnServer } from './guide.ts'
import { placeOf } from './place.ts'
import { greet } from './screen-greeting.ts'
import { listedSessions } from './screen-past.ts'
import { copyInTmux } from './tmux-buffer.ts'

/** What a session begins with. */
export interface Next {
  command: RunCommand
  /** It is the conversation already on the screen. */
  isSame: boolean
  /** Why the session that was asked for could not begin, and this one goes on. */
  because?: Error
}

export interface Around {
  cwd: string
  mayGoBack: boolean
  /** gopi has started a server for the person. */
  own(server: OwnServer, config: LoadedConfig): void
}

/**
 * → what the person wants when this session is over for them. `mayGoBack`: rejects with `RunError` where the model is
 * not there, so that the conversation goes on with the one before.
 */
export async function talk(
  app: App,
  started: Started,
  { cwd, command, isSame, because, mayGoBack, own }: Next & Around,
): Promise<Wanted | { type: 'demo' }> {
  const { session, config } = started
  const { tui } = config.config
  const { env } = process
  const { keymap, problems } = createKeymap(tui.keys)
  if (problems.length > 0) throw new UsageError(problems)
  const home = gopiHome(env)
  const readTheme = async (name: string) => (await import('./own-theme.ts')).ownTheme(home, name)
  const { commands, clashes } = await started.kit.commands()
  app.configure({
    commands,
    words: await loadTalkWords(languageOf(tui.language, env)),
    keymap,
    showTokens: tui.show_token_count,
    keyHints: tui.key_hints,
    sideColumn: tui.side_column,
    notify: tui.notify,
    theme: THEMES.find(name => name === tui.theme) ?? (await readTheme(tui.theme)),
    // Tmux with its own mouse on gives the wheel to nobody else; with it off this changes nothing.
    mouse: tui.mouse || isTmux(env),
    editsRun: started.config.config.permission.allow.includes('Edit(*)'),
    warnings: [
      ...(started.isDemo ? ['demo' as const] : []),
      ...(isWary(started, cwd) ? ['untrusted' as const] : []),
    ],
  })
  for (const clash of clashes) session.notice(clash)
  const misses = new Set<string>()
  const hands = new Hands(app, {
    async models() {
      return (await import('./known-models.ts')).knownModels({
        backend: started.backend,
        config: config.config,
        misses,
      })
    },
    examine: async () => (await import('./doctor.ts')).doctorReport(config),
    async sessions() {
      return (await listedSessions(app, home, cwd)).filter(({ id }) => id !== session.id)
    },
    ownThemes: { names: () => ownThemes(home), read: readTheme },
    copyBesides: text => copyInTmux(text, { env, cwd }),
    async *listFiles(signal) {
      yield* (await import('./project-files.ts')).projectFiles(cwd, signal)
    },
    resources: word => started.kit.resources(word),
    recentFiles: () => recentFiles(session.messages, cwd),
    historyFile: path.join(home, 'history'),
    cwd,
    home: env.HOME ?? homedir(),
    env,
  })
  if (!isSame) void hands.recall()
  const before = async () => (await import('../session/past.ts')).lastSession(home, cwd, session.id)
  const face = new Talk(app, session, {
    others: effect => void hands.does(effect),
    branch: () => gitBranch(cwd),
    place: placeOf(started),
    sources: started.kit.sources,
    before,
    awaitsGreeting: !isSame,
    modelState: async () => {
      const { model } = session
      return model === undefined ? undefined : started.backend.state?.(model)
    },
  })
  let isOver = false
  let wasOffered = false
  /** Once: who has declined it has heard of it. */
  const offer = async () => {
    if (wasOffered) return undefined
    wasOffered = true
    return offered(app, config, own)
  }
  const mended = whenLost(session, offer)
  try {
    const first = command.prompt.join(' ').trim()
    // Looked up while the server is asked.
    const earlier = isSame || tui.quiet_startup ? undefined : before().catch(() => undefined)
    const connected = session.connect().then(
      async () => {
        keepChosen(command, started)
        const last = await earlier
        face.look()
        if (!isSame) greet(app, started, { isWary: isWary(started, cwd), last })
        face.greeted()
        app.step({ state: app.state, effects: [{ type: 'look_aside' }] })
        if (because) app.say(explain(app.words, because), 'error')
        return undefined
      },
      async (error: Error) => {
        if (isOver) return undefined
        face.greeted()
        const code = error instanceof RunError ? error.code : 'internal'
        if (mayGoBack && code === 'no_model') throw error
        // The server may be started meanwhile: the next prompt asks again.
        app.say(explain(app.words, error), 'error')
        app.change(state => ({ ...state, status: unreached(state.status, code) }))
        return error instanceof RunError && isMissing(error) ? offer() : undefined
      },
    )
    // A server that does not answer must not keep anybody from leaving.
    const wanted = await Promise.race([connected, face.wanted])
    if (wanted) return wanted
    if (first !== '') face.send(first)
    else void session.open().catch(() => {}) // The first prompt meets the same failure and tells it.
    return await Promise.race([face.wanted, mended])
  } finally {
    isOver = true
    face.stop()
    hands.close()
  }
}

const isMissing = ({ code }: RunError): boolean => code === 'no_server' || code === 'no_model'

/** Resolves when a run has met no server any more, and the person has brought one about. */
function whenLost<T>(session: Session, offer: () => Promise<T | undefined>): Promise<T> {
  let isLost = false
  return new Promise((resolve, reject) => {
    session.subscribe(event => {
      if (event.type === 'error') isLost = event.code === 'no_server' && event.facts?.case === 'refused'
      if (event.type !== 'agent_end' || !isLost) return
      isLost = false
      offer().then(found => found !== undefined && resolve(found), reject)
    })
  })
}

/** What is missing can be brought about, on the normal screen. undefined: the person goes on without. */
async function offered(
  app: App,
  config: LoadedConfig,
  own: Around['own'],
): Promise<Wanted | { type: 'demo' } | undefined> {
  const { setUp, setupWords } = await import('./setup.ts')
  const { question: title, offer: text } = await setupWords(config)
  if ((await app.asking.confirm({ title, text })) !== true) return undefined
  const { outcome, server } = await app.window.lend(() => setUp(config))
  if (server) own(server, config)
  if (outcome.type === 'ready') return { type: 'model', name: outcome.model }
  return outcome.type === 'demo' ? { type: 'demo' } : undefined
}

/** Something of the folder is left out, since it is not trusted. */
const isWary = ({ trusted }: Started, cwd: string): boolean => !trusted && claims(cwd).length > 0
