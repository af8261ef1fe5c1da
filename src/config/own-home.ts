/** Whether gopi's home is the person's alone: who can write there decides what gopi runs and whom it trusts. */
import { type Stats, statSync } from 'node:fs'
import path from 'node:path'

/** What in it says what may run, what the model is told, which folders are trusted. */
const DECIDING = ['cache', 'config.yaml', 'trust.json', 'AGENTS.md', 'CLAUDE.md']

/** What is wrong with it, and the remedy. What is not there cannot be written by anybody. */
export function homeProblems(home: string): string[] {
  const me = process.getuid?.()
  const stats = me === undefined ? undefined : statsOf(home)
  if (stats === undefined) return []
  // Nobody gets at what lies in a directory that they may not enter.
  const inside = (stats.mode & 0o011) === 0 ? [] : DECIDING.map(name => path.join(home, name))
  return [home, ...inside].flatMap(place => {
    const { uid, mode } = statsOf(place) ?? { uid: me, mode: 0 }
    // Root can write everywhere in any case.
    if (uid !== me && uid !== 0)
      return `${place}: expected a place of your own, came one of another user (uid ${uid}); chown it, or name another by GOPI_HOME`
    if ((mode & 0o022) === 0) return []
    return `${place}: expected that only you can write there, came mode ${(mode & 0o777).toString(8)}; run: chmod ${place === home ? '700' : 'go-w'} ${place}`
  })
}

const statsOf = (place: string): Stats | undefined => {
  try {
    return statSync(place)
  } catch {
    return undefined
  }
}
