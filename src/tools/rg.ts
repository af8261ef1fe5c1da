/** grep by ripgrep: started directly, without any configuration of the person or the project. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { around, characterStart } from '../text/truncate.ts'
import { type Ignored, projectRoot } from './ignored.ts'
import {
  baseOf,
  type Found,
  firstMatches,
  type Match,
  maxFileSize,
  maxLineLength,
  type Query,
} from './search.ts'

/** For a slow disk and a big tree; then what was found so far is shown. */
const timeout_ms = 20_000
/** Bytes kept on each side of a match: enough for the characters that are shown. */
const margin = 4 * maxLineLength
const maxErrorLength = 2000

/** undefined when this ripgrep does not understand the question. */
export async function searchWithRg(
  program: string,
  query: Query,
  { ignored, signal }: { ignored: Ignored; signal: AbortSignal },
): Promise<Found | undefined> {
  const base = baseOf(query)
  const { RIPGREP_CONFIG_PATH: _, ...env } = process.env
  const child = spawn(program, rgArguments(query, base, ignored), {
    cwd: base,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]),
    killSignal: 'SIGKILL',
  })
  const found = firstMatches(query.limit)
  const isLeftOut = leftOutFiles(query, ignored)
  const reader = lineReader(
    matchReader({ base, isWanted: file => !isLeftOut(file) && found.wants(file) }, found.add),
  )
  let errors = ''
  // Without a file descriptor left Node makes no streams, whatever its types say.
  child.stdout?.on('data', (chunk: Buffer) => reader(chunk))
  child.stderr?.on('data', (chunk: Buffer) => {
    if (errors.length < maxErrorLength) errors += chunk
  })
  const ended = await new Promise<'exit' | 'stopped' | 'failed'>(resolve => {
    child.on('error', error => resolve(error.name === 'AbortError' ? 'stopped' : 'failed'))
    child.on('close', () => resolve('exit'))
  })
  signal.throwIfAborted()
  if (ended === 'failed') return undefined
  const { matches, ...rest } = found.take(ended === 'stopped')
  const isMisunderstood = child.exitCode === 2 && errors !== '' && matches.length === 0
  return isMisunderstood ? undefined : { matches, ...rest }
}

function rgArguments(query: Query, base: string, ignored: Ignored): string[] {
  const directory = query.isDirectory ? query.start : path.dirname(query.start)
  const outsideRepository = projectRoot(directory) === undefined
  return [
    '--no-config',
    '--no-messages',
    '--color=never',
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--column',
    '--null',
    '--crlf',
    `--max-count=${query.limit + 1}`,
    `--max-filesize=${maxFileSize}`,
    '--hidden',
    '--no-require-git',
    '--no-ignore-dot',
    '--no-ignore-exclude',
    '--no-ignore-global',
    // Without a repository ripgrep would obey every .gitignore up to the file system's root.
    ...(outsideRepository || ignored.top === directory ? ['--no-ignore-parent'] : []),
    ...(outsideRepository && ignored.top !== directory
      ? [`--ignore-file=${path.join(ignored.top, '.gitignore')}`]
      : []),
    query.ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...(query.literal ? ['--fixed-strings'] : []),
    ...(query.glob === undefined ? [] : [`--glob=${query.glob}`]),
    ...ignored.always.map(name => `--glob=!**/${name}`),
    '--',
    query.pattern,
    `.${path.sep}${path.relative(base, query.start)}`,
  ]
}

/** For ripgrep a glob beats what is ignored; not for us. */
function leftOutFiles({ glob, isDirectory }: Query, ignored: Ignored): (file: string) => boolean {
  return glob === undefined || !isDirectory ? () => false : ignored.hasFile
}

/**
 * Reads `path NUL line:column:text`; anything else (a note about a binary file) is no match. Files are asked about
 * once: their matches come together, and there may be very many that nobody wants.
 */
function matchReader(
  { base, isWanted }: { base: string; isWanted: (file: string) => boolean },
  take: (match: Match) => void,
): (line: Buffer) => void {
  let name: Buffer | undefined
  let file = ''
  let wanted = false
  return line => {
    const end = line.indexOf(0)
    if (end < 0) return
    if (!name?.equals(line.subarray(0, end))) {
      name = line.subarray(0, end)
      file = path.join(base, name.toString())
      wanted = isWanted(file)
    }
    const place = wanted && /^(\d+):(\d+):/.exec(line.toString('latin1', end + 1, end + 40))
    if (!place) return
    const bytes = line.subarray(end + 1 + place[0].length, line.at(-1) === 13 ? -1 : undefined)
    const at = Number(place[2]) - 1
    const from = characterStart(bytes, at - margin)
    const to = characterStart(bytes, at + margin)
    const text = around(
      bytes.toString('utf8', from, to),
      bytes.toString('utf8', from, at).length,
      maxLineLength,
    )
    take({ file, line: Number(place[1]), text })
  }
}

/** Cuts a stream into lines, without copying what comes whole. */
function lineReader(take: (line: Buffer) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  return chunk => {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, end)
      take(parts.length === 0 ? last : Buffer.concat([...parts, last]))
      parts = []
      start = end + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  }
}
