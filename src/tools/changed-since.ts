/** Which files of a project have changed since a moment: for what commands did, of which nobody knows what they touch. */
import { lstat } from 'node:fs/promises'
import path from 'node:path'
import { walk } from './walk.ts'

/** Files that are looked at, and that are named. */
const mostFiles = 20_000
const mostNamed = 100
/** Files that are looked at side by side. */
const batch = 64

/** Regular files below `cwd` (a real path), without what is ignored; `since` in ms since 1970. Times of inodes count: nobody sets them. */
export async function changedSince(
  cwd: string,
  since: number,
  signal: AbortSignal,
): Promise<{ paths: string[]; more: number }> {
  const paths: string[] = []
  let more = 0
  let seen = 0
  let waiting: string[] = []
  const look = async () => {
    const files = waiting
    waiting = []
    const stats = await Promise.all(files.map(file => lstat(file).catch(() => undefined)))
    for (const [index, file] of files.entries()) {
      if ((stats[index]?.ctimeMs ?? 0) < since) continue
      if (paths.length < mostNamed) paths.push(file)
      else more++
    }
  }
  for await (const name of walk(cwd, { cwd, signal })) {
    if (++seen > mostFiles) break
    waiting.push(path.join(cwd, name))
    if (waiting.length === batch) await look()
  }
  await look()
  return { paths, more }
}
