/** `/image`: the picture in the clipboard becomes an `@` mention in what the person types. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { programOutside } from '../../paths/program.ts'
import { makeTemporary } from '../../paths/temporary.ts'
import type { Desk } from '../commands/command.ts'

/** What writes a PNG from the clipboard to its standard output, in the order in which it is tried. */
const READERS: readonly (readonly [program: string, needs: string | undefined, ...args: string[]])[] = [
  ['pngpaste', undefined, '-'],
  ['wl-paste', 'WAYLAND_DISPLAY', '--no-newline', '--type', 'image/png'],
  ['xclip', 'DISPLAY', '-selection', 'clipboard', '-target', 'image/png', '-out'],
]
/** It has the picture as hexadecimal digits between marks. */
const MAC = ['osascript', '-e', ['the', 'clipboard', 'as', '«class', 'PNGf»'].join(' ')] as const

const mostBytes = 10 * 1024 * 1024
/** ms. */
const patience = 5_000

export async function image(desk: Desk): Promise<void> {
  const { image: said } = desk.words.doing
  const { session } = desk
  if (!session.setup) await session.connect()
  if (!(await session.sees())) return desk.refuse(said.noVision(session.model ?? ''))
  const readers = [...readersHere(desk)]
  if (readers.length === 0) return desk.refuse(said.noTool)
  for (const read of readers) {
    const bytes = await read()
    if (!bytes.subarray(0, 8).equals(PNG)) continue
    const file = path.join(makeTemporary('clipboard'), 'clipboard.png')
    writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' })
    return desk.put(`@${file} `)
  }
  desk.refuse(said.none)
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function* readersHere({ place }: Desk): Generator<() => Promise<Buffer>> {
  const found = (name: string) => programOutside(place.cwd, name, { path: process.env.PATH })
  for (const [name, needs, ...args] of READERS) {
    const program = needs === undefined || process.env[needs] ? found(name) : undefined
    if (program !== undefined) yield () => said(program, args)
  }
  const [name, ...args] = MAC
  const program = process.platform === 'darwin' ? found(name) : undefined
  if (program !== undefined)
    yield async () => {
      const text = (await said(program, args)).toString('latin1')
      return Buffer.from(/PNGf([0-9A-F]+)/.exec(text)?.[1] ?? '', 'hex')
    }
}

/** Empty where there is no picture. */
function said(program: string, args: readonly string[]): Promise<Buffer> {
  const limits = { encoding: 'buffer', maxBuffer: 3 * mostBytes, timeout: patience } as const
  return new Promise(resolve => {
    execFile(program, args, limits, (error, out) => resolve(error ? Buffer.alloc(0) : out))
  })
}
