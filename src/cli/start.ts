/** From the front door into the program, with the code that V8 compiled at an earlier start. */
import path from 'node:path'
import { gopiHome } from '../config/home.ts'
import type { Skeleton } from '../tui/window/skeleton.ts'
import { openCodeCache } from './code-cache.ts'
import { openLoader } from './loader.ts'

export async function start(argv: readonly string[], skeleton?: Skeleton): Promise<void> {
  const directory = cacheDirectory()
  const isLines = !skeleton && !argv.includes('-p')
  const { load, keep } = openLoader(__dirname, {
    first: skeleton ? 'screen' : 'print',
    // A conversation and a single answer call different functions: compiled code for one is little use to the other.
    cacheOf: script => openCodeCache(directory, isLines ? `${script}-lines` : script),
  })
  const { main } = load('./main.cjs') as typeof import('./main.ts')
  await main(argv, { keepCode: keep, skeleton })
}

function cacheDirectory(): string | undefined {
  try {
    return path.join(gopiHome(process.env), 'cache')
  } catch {
    // A relative home in a directory that is gone: the program has the words for it.
    return undefined
  }
}
