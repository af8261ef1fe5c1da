/** Whether the index of a repository holds nested repositories: git looks into those too, and runs what their configuration names. */
import { readFileSync } from 'node:fs'

/** Bytes of an entry before its hash, and where its mode stands. */
const STAT = 40
const MODE = 24
/** The mode of a nested repository. */
const GITLINK = 0o160000
const HASHES = [20, 32]

/** `file`: the index. Throws where it is not read. An index that is not understood may hold anything. */
export function holdsRepositories(file: string): boolean {
  const index = readFileSync(file)
  if (index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return true
  const modes = HASHES.map(hash => modesOf(index, hash)).find(found => found !== undefined)
  return modes === undefined || modes.has(GITLINK)
}

/** The modes of all entries, as gitformat-index(5) lays them out; undefined: with hashes of that length it makes no sense. */
function modesOf(index: Buffer, hash: number): Set<number> | undefined {
  const version = index.readUInt32BE(4)
  const modes = new Set<number>()
  let at = 12
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const start = at
    if (start + STAT + hash + 2 > index.length) return undefined
    const mode = index.readUInt32BE(start + MODE)
    // A file, a link or a nested repository; 040000 stands for a directory in a sparse index.
    if (![0o100000, 0o120000, GITLINK, 0o040000].includes(mode & 0o170000)) return undefined
    modes.add(mode)
    const flags = start + STAT + hash
    at = flags + ((index.readUInt16BE(flags) & 0x4000) !== 0 ? 4 : 2)
    // Version 4 cuts the names short by a number of several bytes, and leaves no gaps.
    if (version === 4) while ((index[at++] ?? 0) & 0x80);
    const end = index.indexOf(0, at)
    if (end < 0) return undefined
    at = version === 4 ? end + 1 : start + Math.ceil((end - start + 1) / 8) * 8
  }
  return hasBase(index, at) ? undefined : modes
}

/** Whether the entries are only what differs from another file (the extension `link` of a split index). */
function hasBase(index: Buffer, from: number): boolean {
  for (let at = from; at + 8 <= index.length; at += 8 + index.readUInt32BE(at + 4))
    if (index.toString('latin1', at, at + 4) === 'link') return true
  return false
}
