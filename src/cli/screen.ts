/** The full screen: what `gopi` opens on a terminal. The first frame is there before anything else is looked at. */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { gitBranch } from '../context/volatile.ts'
import { UsageError } from '../protocol/errors.ts'
import { App } from '../tui/app.ts'
import { recentFiles } from '../tui/complete/recent.ts'
import { Hands } from '../tui/hands.ts'
import { createKeymap, printedKey } from '../tui/keymap.ts'
import { sessionItems } from '../tui/list/items.ts'
import { retold } from '../tui/retell.ts'
import { warned } from '../tui/status.ts'
import { Talk, type Wanted } from '../tui/talk.ts'
import { languageOf, loadWords } from '../words/language.ts'
import type { RunCommand } from './args.ts'
import { begin, type Started } from './begin.ts'
import { gopiHome } from './home.ts'
import { type StartOptions, settled } from './start-options.ts'
import { changedSinceTrusted, claims, rememberTrust, trustOf } from './trust.ts'

/** Until the person leaves. → the exit code. */
export async function screenCommand(
  command: RunCommand,
  { keepCode, skeleton }: StartOptions,
): Promise<number> {
  const { env, stdin: input, stdout: output } = process
  const cwd = realpathSync(process.cwd())
  const words = await loadWords(languageOf('auto', env))
  let current: Started | undefined
  const app = new App({
    ...{ input, output, env, words, keymap: createKeymap().keymap, theme: 'dark', mouse: false },
    ...{ skeleton, process },
    directory: shown(cwd, env.HOME ?? homedir()),
    async onGone() {
      current?.session.abort()
      await current?.end()
    },
    resumeCommand: () => resumeCommand(current),
  })
  setTimeout(() => {
    keepCode()
    // A long conversation would fill the young generation up to 48 MB; kept small, nothing was seen to be slower. It
    // changes which compiled code V8 takes, so not before that is kept.
    setFlagsFromString('--optimize-for-size')
  }, settled).unref()
  try {
    const trust = command.trust ?? (await askTrust(app, cwd))
    let next = await firstOf(app, command, cwd)
    while (next !== undefined) {
      current = await begin(next.command, {
        approve: app.approve,
        goOn: (turns, signal) =>
          app
            .confirm({
              title: app.words.questions.goOn(turns),
              text: app.words.questions.goOnFor(turns),
              signal,
            })
            .then(answer => answer === true),
        trust,
        tell: message => app.say(message),
      })
      const wanted = await talk(app, current, { cwd, ...next })
      next = following(command, wanted, current)
      await current.end()
      if (next) app.begin({ keep: next.isSame })
    }
  } finally {
    app.close()
  }
  return 0
}

/** `-r` without an id: the person chooses; nothing chosen is a way out. */
async function firstOf(app: App, command: RunCommand, cwd: string): Promise<Next | undefined> {
  if (command.resume !== true) return { command, isSame: false }
  const { pastSessions } = await import('./past-sessions.ts')
  const sessions = pastSessions(gopiHome(process.env), cwd)
  const { lists } = app.words
  const items = sessionItems(sessions, { words: app.words, now: Date.now() })
  const chosen = await app.choose('session', { items, empty: lists.noSessions })
  return chosen === undefined ? undefined : { command: { ...command, resume: chosen }, isSame: false }
}

/** What a session begins with. */
interface Next {
  command: RunCommand
  /** It is the conversation that stands on the screen. */
  isSame: boolean
}

async function talk(
  app: App,
  started: Started,
  { cwd, command, isSame }: Next & { cwd: string },
): Promise<Wanted> {
  const { session, config } = started
  const { tui } = config.config
  const { env } = process
  const { keymap, problems } = createKeymap(tui.keys)
  if (problems.length > 0) throw new UsageError(problems)
  app.configure({
    words: await loadWords(languageOf(tui.language, env)),
    keymap,
    showTokens: tui.show_token_count,
    notify: tui.notify,
    theme: tui.theme,
    mouse: tui.mouse,
    warnings: [
      ...(started.isDemo ? ['demo' as const] : []),
      ...(isWary(started, cwd) ? ['untrusted' as const] : []),
    ],
  })
  const home = gopiHome(env)
  const hands = new Hands(app, {
    async models() {
      return (await import('./known-models.ts')).knownModels(started.chat)
    },
    async sessions() {
      const { pastSessions } = await import('./past-sessions.ts')
      return pastSessions(home, cwd).filter(({ id }) => id !== session.id)
    },
    async *listFiles(signal) {
      yield* (await import('./project-files.ts')).projectFiles(cwd, signal)
    },
    recentFiles: () => recentFiles(session.messages, cwd),
    historyFile: path.join(home, 'history'),
    cwd,
    home: env.HOME ?? homedir(),
    env,
  })
  if (!isSame) void hands.recall()
  const face = new Talk(app, session, {
    others: effect => void hands.does(effect),
    branch: () => gitBranch(cwd),
  })
  let isOver = false
  try {
    const first = command.prompt.join(' ').trim()
    const connected = session.connect().then(
      () => isSame || greet(app, started, cwd),
      (error: Error) => {
        if (isOver) return
        // The server may be started meanwhile: the next prompt asks again.
        app.say(error.message, 'error')
        app.change(state => ({ ...state, status: warned(state.status, 'noServer') }))
      },
    )
    // A server that does not answer keeps nobody from leaving.
    const wanted = await Promise.race([connected.then(() => undefined), face.wanted])
    if (wanted) return wanted
    if (first !== '') face.send(first)
    else void session.open().catch(() => {}) // The first prompt meets the same failure and tells it.
    return await face.wanted
  } finally {
    isOver = true
    face.stop()
    hands.close()
  }
}

/** What stands above the conversation: where gopi is and with whom; then what was said before. */
function greet(app: App, started: Started, cwd: string): void {
  const { session, config, instructions } = started
  const { setup } = session
  const { words } = app
  const { keys } = app.keymap
  const key = (action: keyof typeof keys, does: string) => ({ key: printedKey(keys[action][0] ?? ''), does })
  if (!config.config.tui.quiet_startup && setup) {
    app.settle([
      {
        type: 'welcome',
        version: process.env.GOPI_VERSION ?? '',
        model: setup.model,
        dialect: setup.dialect.name,
        directory: app.state.status.directory,
        trusted: !isWary(started, cwd),
        instructions: instructions.files.map((path, index) => ({
          path,
          tokens: session.textTokens(instructions.texts[index] ?? ''),
        })),
        keys: [
          key('help', words.welcome.keys.help),
          key('newline', words.welcome.keys.newline),
          key('stop', words.welcome.keys.stop),
        ],
      },
    ])
  }
  if (session.messages.length === 0) return
  app.useMarkdown()
  app.settle(retold(session.messages, reply => session.readable(reply)))
}

/** Something of the folder is left out, since it is not trusted. */
const isWary = ({ trusted }: Started, cwd: string): boolean => !trusted && claims(cwd).length > 0

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

const isKept = ({ sessionFile, messages }: Started['session']): boolean =>
  sessionFile !== undefined && messages.length > 0

function resumeCommand(started: Started | undefined): string | undefined {
  return started && isKept(started.session) ? `gopi --resume ${started.session.id}` : undefined
}

/** A folder that brings instructions or configuration is asked about once. */
async function askTrust(app: App, cwd: string): Promise<boolean> {
  const home = gopiHome(process.env)
  const known = trustOf(home, cwd)
  const files = known === undefined ? claims(cwd) : []
  if (known !== undefined || files.length === 0) return known ?? false
  const { trust, trustFiles, trustHint } = app.words.questions
  const changed = changedSinceTrusted(home, cwd).map(app.words.notices.trustChanged)
  const text = [...changed, trustFiles, ...files.map(file => `  ${file}`), '', trustHint].join('\n')
  const trusted = await app.confirm({ title: trust, text })
  if (trusted === undefined) return false
  await rememberTrust(home, cwd, trusted).catch(error => app.say(error.message, 'warning'))
  return trusted
}

const shown = (directory: string, home: string): string =>
  directory === home || directory.startsWith(`${home}/`) ? `~${directory.slice(home.length)}` : directory
