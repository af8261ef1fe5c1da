/** One session on the screen, from what is greeted with to what the person wants next. */
import { homedir } from 'node:os'
import path from 'node:path'
import { gitBranch } from '../context/volatile.ts'
import { UsageError } from '../protocol/errors.ts'
import type { App } from '../tui/app.ts'
import { recentFiles } from '../tui/complete/recent.ts'
import { Hands } from '../tui/hands.ts'
import { type Action, createKeymap, keyOf } from '../tui/keymap.ts'
import { retold } from '../tui/retell.ts'
import { warned } from '../tui/status.ts'
import { Talk, type Wanted } from '../tui/talk.ts'
import { loadWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import type { RunCommand } from './args.ts'
import type { Started } from './begin.ts'
import { gopiHome } from './home.ts'
import { claims } from './trust.ts'

/** What a session begins with. */
export interface Next {
  command: RunCommand
  /** It is the conversation that stands on the screen. */
  isSame: boolean
}

/** → what the person wants when this session is over for them. */
export async function talk(
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
      () => {
        face.look()
        if (!isSame) greet(app, started, cwd)
      },
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
  const key = (action: Action, does: string) => ({ key: keyOf(app.keymap, action), does })
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
