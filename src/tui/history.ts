/** What was sent before, in every session: `$GOPI_HOME/history`, one JSON string a line, the last 1,000. */
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

const MOST = 1_000
/** Lines that may lie in the file before it is made shorter: that is rarely done. */
const MOST_LINES = 2 * MOST
/** Bytes of one prompt. A longer one (a pasted file) is not kept: nobody looks for it here. */
const MOST_BYTES = 65_536
/** Bytes of a file that is no history any more. */
const MOST_IN_ALL = MOST_LINES * MOST_BYTES
const NEWLINE = 10

/**
 * The prompts, the oldest first, without what repeats the one before. A damaged line is skipped; what is not there or
 * cannot be read is an empty history. Makes a file that has become long shorter.
 */
export async function loadHistory(file: string): Promise<string[]> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined)
  if (!handle) return []
  try {
    const stats = await handle.stat()
    if (!stats.isFile() || stats.size > MOST_IN_ALL) return []
    const text = await handle.readFile('utf8')
    const lines = text.split('\n').filter(line => line !== '')
    const prompts = lines.map(promptOf).filter(prompt => prompt !== undefined)
    const kept = prompts.filter((prompt, at) => prompt !== prompts[at - 1]).slice(-MOST)
    if (lines.length > MOST_LINES) await shorten(file, { kept, handle, length: Buffer.byteLength(text) })
    return kept
  } catch {
    return []
  } finally {
    await handle.close()
  }
}

/**
 * Keeps a prompt (the file 0600, its directory 0700). Other processes append too: one write at the file's end. Rejects when
 * the file cannot be written.
 */
export async function appendHistory(file: string, prompt: string): Promise<void> {
  const line = `${JSON.stringify(prompt)}\n`
  if (prompt.trim() === '' || Buffer.byteLength(line) > MOST_BYTES) return
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK
  const handle = await open(file, flags, 0o600)
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it is no file')
    // A line that was cut off by a crash must not take this one with it.
    await handle.writeFile((await endsInNewline(handle)) ? line : `\n${line}`)
  } finally {
    await handle.close()
  }
}

function promptOf(line: string): string | undefined {
  try {
    const prompt: unknown = JSON.parse(line)
    return typeof prompt === 'string' && prompt.trim() !== '' ? prompt : undefined
  } catch {
    return undefined
  }
}

async function endsInNewline(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return true
  const last = Buffer.alloc(1)
  await handle.read(last, 0, 1, size - 1)
  return last[0] === NEWLINE
}

interface Shorten {
  kept: readonly string[]
  /** Of the file as it was read, up to `length` bytes. */
  handle: FileHandle
  length: number
}

/** In one step for everybody else. What others wrote into the old file meanwhile is carried over. */
async function shorten(file: string, { kept, handle, length }: Shorten): Promise<void> {
  const fresh = `${file}.${process.pid}`
  try {
    const target = await open(fresh, 'wx', 0o600)
    try {
      await target.writeFile(kept.map(prompt => `${JSON.stringify(prompt)}\n`).join(''))
    } finally {
      await target.close()
    }
    await rename(fresh, file)
    const { size } = await handle.stat()
    if (size <= length) return
    const late = Buffer.alloc(size - length)
    await handle.read(late, 0, late.length, length)
    const again = await open(file, 'a')
    await again.writeFile(late).finally(() => again.close())
  } catch {
    // It stays long; what was read of it is good all the same.
    await rm(fresh, { force: true })
  }
}
