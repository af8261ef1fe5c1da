/** How programs are called. */
import path from 'node:path'
import type { ShellWord } from './line.ts'

/** Of GNU's own tools under the names that they have on a Mac: `grm` is rm. */
const GNU =
  /^g(env|timeout|nice|nohup|stdbuf|xargs|find|sed|rm|mv|cp|dd|chmod|chown|chgrp|shred|tee|ln|truncate|install|awk)$/

/** The name that a program is known by: `/usr/bin/rm` is rm. Empty where it is not known. */
export function programOf(words: readonly ShellWord[]): string {
  return nameOf(words[0]?.value ?? '')
}

export function nameOf(program: string): string {
  // Where case does not matter to the file system, RM is rm.
  // `npx rimraf@5` runs rimraf.
  const name = path
    .basename(program)
    .toLowerCase()
    .replace(/(?<=\w)@[\w.^~-]+$/, '')
  return GNU.exec(name)?.[1] ?? name
}

export const SHELLS: ReadonlySet<string> = new Set(
  'sh bash dash zsh ksh mksh ash fish rbash csh tcsh'.split(' '),
)

export const wordsText = (words: readonly ShellWord[]): string => words.map(({ text }) => text).join(' ')
