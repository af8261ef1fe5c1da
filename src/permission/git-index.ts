/** What git tracks: nested repositories, which it looks into and runs what their configuration names, and files that hold secrets. */
import { readFileSync } from 'node:fs'

/** Bytes of an entry before its hash, and where its mode stands. */
const STAT = 40
const MODE = 24
/** The mode of a nested repository. */
const GITLINK = 0o160000
const HASHES = [20, 32]

export interface Index {
  /** It holds nested repositories. */
  nested: boolean
  /** What is tracked, relative to the top of the working tree. */
  names: readonly string[]
}

/** `file`: the index. Throws where it is not read. undefined: not understood, so that it may hold anything. */
export function readIndex(file: string): Index | undefined {
  const index = readFileSync(file)
  if (index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return undefined
  return HASHES.map(hash => entriesOf(index, hash)).find(found => found !== undefined)
}

/** All entries, as gitformat-index(5) lays them out; undefined: with hashes of that length it makes no sense. */
function entriesOf(index: Buffer, hash: number): Index | undefined {
  const version = index.readUInt32BE(4)
  const names: string[] = []
  let nested = false
  let at = 12
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const start = at
    if (start + STAT + hash + 2 > index.length) return undefined
    const mode = index.readUInt32BE(start + MODE)
    // A file, a link or a nested repository; 040000 stands for a directory in a sparse index.
    if (![0o100000, 0o120000, GITLINK, 0o040000].includes(mode & 0o170000)) return undefined
    nested ||= mode === GITLINK
    const flags = start + STAT + hash
    at = flags + ((index.readUInt16BE(flags) & 0x4000) !== 0 ? 4 : 2)
    // Version 4 cuts the names short by a number of several bytes, and leaves no gaps.
    let kept = ''
    if (version === 4) {
      let cut = -1
      for (let byte = 0x80; byte & 0x80; ) {
        byte = index[at++] ?? 0
        cut = (cut + 1) * 128 + (byte & 0x7f)
      }
      kept = (names.at(-1) ?? '').slice(0, (names.at(-1) ?? '').length - cut)
    }
    const end = index.indexOf(0, at)
    if (end < 0) return undefined
    names.push(kept + index.toString('latin1', at, end))
    // No name in a repository leads out of it.
    if (/^\/|(^|\/)\.\.(\/|$)/.test(names.at(-1) ?? '')) return undefined
    at = version === 4 ? end + 1 : start + Math.ceil((end - start + 1) / 8) * 8
  }
  if (hasBase(index, at)) return undefined
  return { nested, names: names.map(name => Buffer.from(name, 'latin1').toString()) }
}

/** Whether the entries are only what differs from another file (the extension `link` of a split index). */
function hasBase(index: Buffer, from: number): boolean {
  for (let at = from; at + 8 <= index.length; at += 8 + index.readUInt32BE(at + 4))
    if (index.toString('latin1', at, at + 4) === 'link') return true
  return false
}
