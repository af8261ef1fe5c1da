/** Filling a file anew where another cannot take its place: hard links, an owner or a directory stand in the way. */
import { constants, fstatSync, ftruncateSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'

/** How to open a file that is to be filled anew. */
export const forRefill = constants.O_RDWR | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * The open file holds `bytes` afterwards. When it throws, it holds what it held: first it is made longer, which is what a
 * full disk refuses, and only then is anything written over. A process that is killed meanwhile leaves the old content in
 * `copy` (0600), which must not be there yet.
 */
export function refill(handle: number, bytes: Uint8Array, copy: string): void {
  const old = readFileSync(handle)
  const { size } = fstatSync(handle)
  let failure: unknown
  try {
    writeFileSync(copy, old, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    rmSync(copy, { force: true })
    throw error
  }
  try {
    writeAll(handle, bytes.subarray(size), size)
    writeAll(handle, bytes.subarray(0, size), 0)
    ftruncateSync(handle, bytes.length)
  } catch (error) {
    failure = error
    ftruncateSync(handle, size)
    // Should this fail, the copy is what is left.
    writeAll(handle, old, 0)
  }
  rmSync(copy, { force: true })
  if (failure !== undefined) throw failure
}

function writeAll(handle: number, bytes: Uint8Array, from: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(handle, bytes, done, bytes.length - done, from + done)
  }
}
