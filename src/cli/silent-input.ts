import { fstatSync, statSync } from 'node:fs'
import { isatty } from 'node:tty'

/**
 * Whether nothing is to be read from a descriptor: it is a terminal, the null device, or closed. A look at it costs less
 * than `process.stdin`, which loads a stream of the right kind.
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
