/** The files of the bundle: next to the program, or inside it where all of gopi is one executable. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** `name` is relative to the bundle's directory. */
export function readBundled(directory: string, name: string, encoding: 'latin1' | 'utf8'): string {
  if (process.env.GOPI_SINGLE) {
    const { getRawAsset } = require('node:sea') as typeof import('node:sea')
    return Buffer.from(getRawAsset(path.basename(name)) as ArrayBuffer).toString(encoding)
  }
  return readFileSync(path.join(directory, name), encoding)
}
