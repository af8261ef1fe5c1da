/** The fixture as a program: bundled as gopi is, so that it starts as fast. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

export interface Fixture {
  directory: string
  program: string
  remove(): void
}

export async function buildFixture(): Promise<Fixture> {
  const plugin: { bundleBlessed: Plugin } = await import(
    String(new URL('../../../src/bundle-blessed.mjs', import.meta.url))
  )
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-window-'))
  const program = path.join(directory, 'fixture.cjs')
  await build({
    entryPoints: [fileURLToPath(new URL('fixture.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: program,
    plugins: [plugin.bundleBlessed],
    logLevel: 'warning',
  })
  return { directory, program, remove: () => rmSync(directory, { recursive: true, force: true }) }
}
