/**
 * The code that V8 has compiled of the program, kept for the next start. It is taken late: functions that V8 compiled
 * when they were first called are in it, which neither a cache taken at once nor Node's own has.
 *
 * V8 runs what it is given. It looks at version, flags and length, but a flipped bit crashes the process, or makes it do
 * something else. So code is taken only from a file that nobody else can write, made by this build in this Node, and
 * with a checksum.
 */
import path from 'node:path'
import type vm from 'node:vm'
import zlib from 'node:zlib'
import { readOwn, replaceOwn } from '../memory/own-file.ts'

/** Bytes before the code. V8 wants its data aligned, and copies what is not. */
const HEAD = 96

export interface CodeCache {
  /** undefined when there is none, or none that can be trusted. */
  read(): Buffer | undefined
  /** Writes the script's code, once, unless a good one is there. What cannot be written is not there next time. */
  keep(script: vm.Script): void
}

/** `name` tells the caches of one program apart. Without a directory there is nothing to read or to keep. */
export function openCodeCache(directory: string | undefined, name: string): CodeCache {
  if (directory === undefined) return { read: () => undefined, keep() {} }
  const file = path.join(directory, `code-${name}-${process.version}-${process.arch}`)
  let found = false
  let written = false

  function read(): Buffer | undefined {
    const bytes = readOwn(file)
    const code = bytes?.subarray(HEAD)
    found = code !== undefined && bytes?.toString('latin1', 0, HEAD) === headOf(code)
    return found ? code : undefined
  }

  function keep(script: vm.Script): void {
    if (written || (found && !script.cachedDataRejected)) return
    written = true
    const code = script.createCachedData()
    replaceOwn(file, Buffer.concat([Buffer.from(headOf(code)), code]))
  }

  return { read, keep }
}

/** For whom the code is, and its checksum. */
function headOf(code: Buffer): string {
  const sum = zlib.crc32(code).toString(16)
  return `${process.env.GOPI_BUILD} ${process.version} ${process.arch} ${sum}`.padEnd(HEAD - 1).concat('\n')
}
