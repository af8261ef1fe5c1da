/** The guide at this terminal, in the person's language; and what becomes of a server that gopi started. */
import { realpathSync } from 'node:fs'
import { gopiHome } from '../config/home.ts'
import type { LoadedConfig } from '../config/load.ts'
import { loadWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import { type Desk, openDesk } from './desk.ts'
import { type Guided, guide, type OwnServer } from './guide.ts'

export async function setUp(loaded: LoadedConfig): Promise<Guided & { desk: Desk }> {
  const { env, stdin, stdout } = process
  const desk = openDesk(stdin, stdout)
  const [words, setup] = await Promise.all([loadWords(language(loaded)), setupWords(loaded)])
  const cwd = realpathSync(process.cwd())
  const guided = await guide({ loaded, home: gopiHome(env), cwd, env, desk, words, setup })
  return { ...guided, desk }
}

/** When gopi is about to end: the server that it started is stopped if the person says so, unless it has ended. */
export async function partFrom(server: OwnServer, loaded: LoadedConfig): Promise<void> {
  if (!server.isRunning()) return
  const desk = openDesk(process.stdin, process.stdout)
  const setup = await setupWords(loaded)
  desk.say(setup.running)
  if ((await desk.key()).toLowerCase() === 's') {
    server.stop()
    desk.say(setup.ended)
  } else desk.say(setup.stillRuns(server.pid))
}

const language = ({ config }: LoadedConfig) => languageOf(config.tui.language, process.env)

export async function setupWords(loaded: LoadedConfig) {
  return language(loaded) === 'zh'
    ? (await import('../words/setup-zh.ts')).SETUP_ZH
    : (await import('../words/setup-en.ts')).SETUP_EN
}
