/** What the shell tells the model besides output: whole sentences, all of them here. */
import type { Death } from './bash.ts'

export const NUL_REFUSED =
  'Not run: the command holds a NUL byte, which no shell can take. Write it as an escape, e.g. printf "\\0".'

export const NOT_STARTED = 'Not run: it was aborted before it began.'

export const SHELL_CLOSED = 'Not run: the shell is closed.'

export const NO_BASH =
  'Not run: no bash was found in /bin, /usr/bin or an absolute entry of PATH. Install bash 3.2 or newer.'

export function shellFailed(why: string): string {
  return `Not run: bash could not be started (${why}).`
}

const LOST = 'Other variables, functions, aliases and options are gone'

function fresh(cwd: string): string {
  return `The next one runs in a new shell in ${cwd}, with the exported variables as they were before. ${LOST}.`
}

interface Cut {
  cwd: string
  timeout: number
}

const howCut = (why: 'timeout' | 'aborted', { timeout }: Cut) =>
  why === 'timeout' ? `did not end within ${timeout / 1000} s` : 'was aborted'

/** The line was cut, in a child that the shell does not miss. */
export const cutChild = (why: 'timeout' | 'aborted', cut: Cut): string =>
  `The command ${howCut(why, cut)}; its processes were ended.`

/** The command was cut, and the shell with it. */
export function cut(why: 'timeout' | 'aborted', { cwd, timeout }: Cut): string {
  return `The command ${howCut(why, { cwd, timeout })}; its processes were ended, and the shell with them. ${fresh(cwd)}`
}

/** The person sent it to the background, in a child that the shell does not miss. */
export const sentChild = (id: string): string =>
  `The user sent this command to the background, where it goes on as ${id}. Do not run it again and do not wait for it: you will be told how it ended.`

/** The person sent it to the background, and the shell with it. */
export const sent = (id: string, cwd: string): string => `${sentChild(id)} ${fresh(cwd)}`

/** The command took the shell with it: exit, exec, kill, set -e at work. */
export function tookShell(death: Death, cwd: string): string {
  return `The command ended the shell itself (${how(death)}). ${fresh(cwd)}`
}

/** The shell died between two commands. */
export function diedMeanwhile(death: Death, cwd: string): string {
  return `The shell had ended since the last command (${how(death)}). A new one was started in ${cwd}, with the exported variables as they were after that command. ${LOST}.`
}

function how({ code, signal, problem }: Death): string {
  if (problem !== undefined) return problem
  if (signal !== undefined) return `killed by ${signal}`
  return code === 0 ? 'by exit or exec' : `with exit code ${code}, by exit, exec, or set -e or set -u at work`
}

export function pipesGone(cwd: string): string {
  return `The shell's pipes were removed from the temporary directory. A new shell was started in ${cwd}, with the exported variables kept. ${LOST}.`
}

export function renewed(cwd: string): string {
  return `The sandbox had to be made anew for files that are protected or secret; what still ran in it was ended. ${fresh(cwd).replace('The next one', 'This command')}`
}

export function directoryGone(gone: string, cwd: string): string {
  return `Not run: the directory ${gone} is gone. The next command runs in ${cwd}.`
}

export const STILL_HELD =
  'Background processes of this command go on. What they write from now on is not part of a result; its last lines come as a note with the next one.'

export function lateOutput(command: string, text: string): string {
  const name = command.length > 60 ? `${command.slice(0, 60)}…` : command
  return `Meanwhile the background of \`${name}\` wrote:\n${text}`
}
