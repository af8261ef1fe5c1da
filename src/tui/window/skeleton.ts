/**
 * The first paint, before anything is loaded: the alternate screen with the prompt where it will stand. From then on the
 * terminal keeps what is typed, unechoed, for the window. Imports nothing of gopi's: it is a part of the front door.
 */
import { fstatSync, statSync, writeSync } from 'node:fs'

export interface Skeleton {
  /** The window has the terminal now, and gives it back itself. */
  handOver(): void
  /** Gives the terminal back as it was. Once is enough, more does no harm. */
  leave(): void
}

/** What is no full screen. A model or a prompt of such a name opens without a skeleton. */
const ELSEWHERE = new Set(
  '--plain --help --version models sessions config permission demo init doctor completion'.split(' '),
)
const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Longer than any row: what is too long is cut at the edge, whatever the size. */
const RULE = '─'.repeat(400)

/** The last row is the footer's. */
const PAINT = `\x1b[?1049h\x1b[?7l\x1b[2J\x1b[999H\x1b[2A\x1b[2m${RULE}\x1b[m\r\n› `
const UNDO = '\x1b[?7h\x1b[?1049l'

/** Undefined where gopi does not open the full screen: nothing has been written then. */
export function paintSkeleton(argv: readonly string[], env: NodeJS.ProcessEnv): Skeleton | undefined {
  return opensScreen(argv, env) && areTerminals() ? paint() : undefined
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

/** Whether the arguments mean the full screen for certain, and the terminal can show it. */
export function opensScreen(argv: readonly string[], { TERM = '' }: NodeJS.ProcessEnv): boolean {
  // Of letters in a bundle, -p and -h are something else.
  const isElsewhere = (word: string) => ELSEWHERE.has(word) || /^-[a-z]*[ph]/i.test(word)
  return TERM !== '' && TERM !== 'dumb' && !argv.some(isElsewhere)
}

function paint(): Skeleton {
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
  writeSync(1, PAINT)
  if (process.stdin.isTTY) process.stdin.setRawMode(true)
  return { handOver, leave }
}
