/** The prompt in the person's own editor. */
import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeTemporary } from '../paths/temporary.ts'
import { messageOf } from '../text/message-of.ts'
import type { Words } from '../words/words.ts'

export interface OutsideOptions {
  env: NodeJS.ProcessEnv
  /** Gives the terminal away while `run` goes on, and takes it back. */
  lend<T>(run: () => Promise<T>): Promise<T>
  words: Words
}

export interface Edited {
  /** What was saved; the text as it was when something went wrong. */
  text: string
  /** A sentence that says what went wrong. */
  problem?: string
}

/** What sh says when there is no such program. */
const NOT_FOUND = 127

/**
 * Lets the person edit a text in $VISUAL, $EDITOR or vi. The text lies in a directory of its own (0700) that is gone
 * afterwards, with whatever the editor put next to it.
 */
export async function editOutside(text: string, { env, lend, words }: OutsideOptions): Promise<Edited> {
  const { notices } = words
  const program = env.VISUAL?.trim() || env.EDITOR?.trim() || 'vi'
  const directory = makeTemporary('prompt')
  try {
    const file = path.join(directory, 'prompt.md')
    await writeFile(file, text, { mode: 0o600 })
    const ending = await lend(() => ended(program, file, env))
    if (ending === NOT_FOUND) return { text, problem: notices.editorMissing(program) }
    if (ending !== 0) return { text, problem: notices.editorFailed(program, String(ending)) }
    const saved = await readFile(file, 'utf8')
    // Editors end the last line.
    return { text: text.endsWith('\n') ? saved : saved.replace(/\r?\n$/, '') }
  } catch (error) {
    return {
      text,
      problem: notices.editorFailed(program, messageOf(error)),
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/**
 * How the program ended: its code, or a signal's name. It may be written with options (`code --wait`), as sh
 * understands them; the file's name is not among what sh reads.
 */
function ended(program: string, file: string, env: NodeJS.ProcessEnv): Promise<number | string> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `${program} "$@"`, program, file], { stdio: 'inherit', env })
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
}
