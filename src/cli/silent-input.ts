import { fstatSync, statSync } from 'node:fs'
import { isatty } from 'node:tty'

/**
 * Whether nothing is to be read from a descriptor: it is a terminal, the null device, or closed. Looking costs less
 * than `process.stdin`, which loads the right kind of stream.
 */
export function isSilent(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isCharacterDevice()) return false
    return isatty(descriptor) || stats.rdev === statSync('/dev/null').rdev
  } catch {
    return true
  }
}
