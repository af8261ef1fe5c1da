/** The full screen: what `gopi` opens on a terminal. The first frame is there before anything else is loaded. */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { shownPath } from '../text/shown-path.ts'
import { App } from '../tui/app.ts'
import { createKeymap } from '../tui/keymap.ts'
import { loadTalkWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import type { RunCommand } from './args.ts'
import type { Showing } from './screen-sessions.ts'
import type { Around } from './screen-talk.ts'
import { type StartOptions, settled } from './start-options.ts'

/** Until the person leaves. → the exit code. */
export async function screenCommand(
  command: RunCommand,
  { keepCode, skeleton }: StartOptions,
): Promise<number> {
  const { env, stdin: input, stdout: output } = process
  const cwd = realpathSync(process.cwd())
  const words = await loadTalkWords(languageOf('auto', env))
  let showing: Showing | undefined
  let owned: Parameters<Around['own']> | undefined
  const app = new App({
    ...{ input, output, env, words, keymap: createKeymap().keymap, theme: 'dark', mouse: false },
    ...{ skeleton, process },
    directory: shownPath(cwd, env.HOME ?? homedir()),
    onGone: () => showing?.end(),
    resumeCommand: () => showing?.resumeCommand(),
    alongside: () => showing?.alongside() ?? [],
  })
  setTimeout(async () => {
    keepCode()
    // A long conversation would fill the young generation up to 48 MB; kept small, nothing measured slower. It
    // changes which compiled code V8 accepts, so it waits until the code is kept.
    const { setFlagsFromString } = await import('node:v8')
    setFlagsFromString('--optimize-for-size')
  }, settled).unref()
  try {
    const { converse } = await import('./screen-sessions.ts')
    await converse(app, command, {
      cwd,
      show: session => (showing = session),
      own: (...server) => (owned = server),
    })
  } finally {
    app.close()
  }
  if (owned) await (await import('./setup.ts')).partFrom(...owned)
  return 0
}
