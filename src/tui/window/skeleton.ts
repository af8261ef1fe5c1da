/**
 * The first paint, before anything is loaded: the alternate screen with the empty prompt as it will be. From then on
 * the terminal keeps what is typed, unechoed, for the window. A part of the front door: it imports next to nothing.
 */
import { fstatSync, statSync, writeSync } from 'node:fs'
import { sanitize } from '../../text/sanitize.ts'
import { shownPath } from '../../text/shown-path.ts'
import { FIRST } from '../../words/first.ts'
import { languageOf } from '../../words/locale.ts'
import { opensScreen } from './opens-screen.ts'

export interface Skeleton {
  /** The window has the terminal now, and gives it back itself. */
  handOver(): void
  /** Gives the terminal back as it was. Once is enough, more does no harm. */
  leave(): void
}

const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Longer than any row: what is too long is cut at the edge, whatever the size. */
const RULE = '─'.repeat(400)

const UNDO = '\x1b[?7h\x1b[?1049l'

/** What is too long for the screen has left its last character in the last column. */
const CUT = '\x1b[999G\x1b[K'

/** The app's own first frame draws the same: the rule, the empty prompt, the footer; the cursor is in the prompt. */
function paintOf(env: NodeJS.ProcessEnv, cwd: string): string {
  const { placeholder, ask } = FIRST[languageOf('auto', env)]
  const accent = env.NO_COLOR ? '' : '\x1b[36m'
  const footer = `${accent}${ask}\x1b[m\x1b[2m · ${sanitize(shownPath(cwd, env.HOME))}\x1b[m`
  const prompt = `${accent}› \x1b[m\x1b7\x1b[2m${placeholder}\x1b[m`
  return `\x1b[?1049h\x1b[?7l\x1b[2J\x1b[999H\x1b[2A\x1b[2m${RULE}\x1b[m\r\n${prompt}${CUT}\r\n${footer}${CUT}\x1b8`
}

/** Undefined where gopi does not open the full screen: nothing has been written then. */
export function paintSkeleton(argv: readonly string[], env: NodeJS.ProcessEnv): Skeleton | undefined {
  if (!opensScreen(argv, env) || !areTerminals()) return undefined
  const cwd = directory()
  return cwd === undefined ? undefined : paint(env, cwd)
}

/** Undefined: it is gone, and a sentence on the terminal as it is says so. */
function directory(): string | undefined {
  try {
    return process.cwd()
  } catch {
    return undefined
  }
}

/** What else is a character device takes the paint without harm; to know for certain, Node loads for 2 ms. */
function areTerminals(): boolean {
  try {
    const nowhere = statSync('/dev/null').rdev
    return [fstatSync(0), fstatSync(1)].every(
      descriptor => descriptor.isCharacterDevice() && descriptor.rdev !== nowhere,
    )
  } catch {
    return false
  }
}

function paint(env: NodeJS.ProcessEnv, cwd: string): Skeleton {
  let isOver = false

  function handOver(): void {
    isOver = true
    process.off('exit', leave)
    for (const signal of ENDS) process.off(signal, end)
  }

  function leave(): void {
    if (isOver) return
    handOver()
    try {
      writeSync(1, UNDO)
      if (process.stdin.isTTY) process.stdin.setRawMode(false)
    } catch {
      // The terminal is gone.
    }
  }

  /** As the signal would have done it. */
  function end(signal: NodeJS.Signals): void {
    leave()
    process.kill(process.pid, signal)
  }

  process.on('exit', leave)
  for (const signal of ENDS) process.on(signal, end)
  writeSync(1, paintOf(env, cwd))
  if (process.stdin.isTTY) process.stdin.setRawMode(true)
  return { handOver, leave }
}
