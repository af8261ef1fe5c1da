/**
 * grep without ripgrep. The main thread walks the tree and hands out files; a worker reads and matches them, so that
 * a regular expression that never comes to an end can be ended with its thread.
 *
 * The worker's code is the function `searchFiles`, turned into text: it works the same from source (tsx) and from the
 * bundle, and needs no file of its own. For that it names nothing outside itself but its parameters.
 */
import { once } from 'node:events'
import type * as FileSystem from 'node:fs'
import path from 'node:path'
import { type MessagePort, Worker } from 'node:worker_threads'
import ignore from 'ignore'
import { ToolError } from '../protocol/errors.ts'
import { around } from '../text/truncate.ts'
import { baseOf, type Found, firstMatches, maxFileSize, maxLineLength, type Query } from './search.ts'
import { walk } from './walk.ts'

/** The whole search; then what was found so far is shown. */
const timeout_ms = 5000
/** Files for one message: what the worker does while the next ones are looked up. */
const batchSize = 64

/** Throws a `ToolError` when the pattern is no regular expression. */
export async function searchByOurselves(query: Query, signal: AbortSignal): Promise<Found> {
  const regex = toRegExp(query)
  const deadline = AbortSignal.timeout(timeout_ms)
  const either = AbortSignal.any([signal, deadline])
  const found = firstMatches(query.limit)
  const worker = startWorker(regex, query.limit)
  let left = query.limit + 1
  const search = async (files: string[]): Promise<void> => {
    const answered = once(worker, 'message', { signal: either })
    worker.postMessage(files)
    const [matches] = (await answered) as [WorkerMatch[]]
    left -= matches.length
    for (const { file, line, text, at } of matches) {
      found.add({ file, line, text: around(text, at, maxLineLength) })
    }
  }
  try {
    let searching = Promise.resolve()
    for await (const files of batches(query, either)) {
      await searching
      if (left <= 0) return found.take(false)
      searching = search(files)
      searching.catch(() => {})
    }
    await searching
    return found.take(false)
  } catch (error) {
    signal.throwIfAborted()
    if (deadline.aborted) return found.take(true)
    throw error
  } finally {
    await worker.terminate()
  }
}

function toRegExp({ pattern, literal, ignoreCase }: Query): RegExp {
  const source = literal ? pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : pattern.replace(/^\(\?i\)/, '')
  const flags = ignoreCase || (source !== pattern && pattern.startsWith('(?i)')) ? 'i' : ''
  try {
    return new RegExp(source, `${flags}u`)
  } catch {
    return toLenientRegExp(source, flags)
  }
}

/** Without `u` JavaScript forgives needless backslashes. */
function toLenientRegExp(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags)
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*: /, '') : 'invalid'
    throw new ToolError(`grep: "pattern" is no regular expression (${why}). Mend it, or set literal.`)
  }
}

async function* batches(query: Query, signal: AbortSignal): AsyncGenerator<string[]> {
  if (!query.isDirectory) return yield [query.start]
  const base = baseOf(query)
  const isWanted = globFilter(query.glob)
  let batch: string[] = []
  for await (const file of walk(query.start, { cwd: query.cwd, signal })) {
    const absolute = path.join(query.start, file)
    if (!isWanted(path.relative(base, absolute).split(path.sep).join('/'))) continue
    if (batch.push(absolute) < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Globs mean what they mean to ripgrep: the rules of a .gitignore, and `{a,b}`. */
function globFilter(glob: string | undefined): (file: string) => boolean {
  if (glob === undefined) return () => true
  const leavesOut = glob.startsWith('!')
  const rules = ignore({ ignorecase: false }).add(expandBraces(leavesOut ? glob.slice(1) : glob))
  return file => rules.ignores(file) !== leavesOut
}

function expandBraces(glob: string): string[] {
  const braces = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/.exec(glob)
  if (!braces) return [glob]
  const [, before, inner = '', after] = braces
  return inner.split(',').flatMap(part => expandBraces(`${before}${part}${after}`))
}

interface WorkerMatch {
  file: string
  line: number
  /** What is around the match, with more on both sides than is shown. */
  text: string
  /** Where in `text` the match begins. */
  at: number
}

interface WorkerSetup {
  regex: RegExp
  limit: number
  maxFileSize: number
  margin: number
}

function startWorker(regex: RegExp, limit: number): Worker {
  const setup: WorkerSetup = { regex, limit, maxFileSize, margin: 2 * maxLineLength }
  const code = `const { parentPort, workerData } = require('node:worker_threads')
    ;(${searchFiles})(parentPort, workerData, require('node:fs'))`
  return new Worker(code, { eval: true, workerData: setup, stdout: true, stderr: true })
}

/**
 * Answers each list of files with their matches, up to the limit in all plus one. Self-contained: see above. Its parts
 * are methods, since tsx and bundlers wrap named inner functions in a helper that would not be there.
 */
function searchFiles(port: MessagePort, setup: WorkerSetup, fs: typeof FileSystem): void {
  const { regex, maxFileSize, margin } = setup
  const searcher = {
    left: setup.limit + 1,
    buffer: Buffer.allocUnsafe(1024 * 1024),

    read(file: string): string | undefined {
      let handle: number | undefined
      try {
        const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = fs.constants
        handle = fs.openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
        const stats = fs.fstatSync(handle)
        if (!stats.isFile() || stats.size > maxFileSize) return undefined
        if (stats.size > this.buffer.length) this.buffer = Buffer.allocUnsafe(stats.size)
        const bytes = this.buffer.subarray(0, fs.readSync(handle, this.buffer, 0, this.buffer.length, 0))
        return bytes.includes(0) ? undefined : bytes.toString('utf8')
      } catch {
        return undefined
      } finally {
        if (handle !== undefined) fs.closeSync(handle)
      }
    },

    search(file: string, matches: WorkerMatch[]): void {
      const text = this.read(file) ?? ''
      let start = 0
      for (let line = 1; this.left > 0 && start < text.length; line++) {
        const newline = text.indexOf('\n', start)
        const next = newline < 0 ? text.length : newline
        const content = text.slice(start, next > start && text[next - 1] === '\r' ? next - 1 : next)
        const match = regex.exec(content)
        if (match) {
          const from = Math.max(0, match.index - margin)
          matches.push({
            file,
            line,
            text: content.slice(from, match.index + margin),
            at: match.index - from,
          })
          this.left--
        }
        start = next + 1
      }
    },
  }
  port.on('message', (files: string[]) => {
    const matches: WorkerMatch[] = []
    for (const file of files) if (searcher.left > 0) searcher.search(file, matches)
    port.postMessage(matches)
  })
}
