/** The extensions of the configuration as sources: each is loaded beside the others, and one that fails is left out. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { messageOf } from '../../text/message-of.ts'
import { told } from '../../words/sayings/told.ts'
import type { Source } from '../source.ts'

const MODULE = /\.[cm]?[jt]s$/

export function extensionSources(
  extensions: readonly { path: string }[],
  place: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Source[]> {
  return Promise.all(extensions.map(({ path: file }) => extensionSource(file, place)))
}

async function extensionSource(
  file: string,
  place: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Source> {
  const name = path.basename(file)
  const began = performance.now()
  try {
    if (!statSync(file).isFile()) throw new Error('it is no file')
    const source = MODULE.test(file)
      ? await (await import('./module.ts')).moduleSource(file, { ...place, name })
      : await (await import('./script.ts')).scriptSource(file, { ...place, name })
    const ms = Math.round(performance.now() - began)
    return { ...source, states: () => [{ name, state: 'ready', ms }] }
  } catch (error) {
    return { from: name, refused: [told('extension', { file, problem: problemOf(error) })] }
  }
}

function problemOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return `this Node.js (${process.version}) runs no TypeScript; 22.18 and later do`
  return messageOf(error)
}
