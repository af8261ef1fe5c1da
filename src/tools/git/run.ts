/**
 * git for gopi itself: reading, where nothing that a repository's configuration names may run, and the person's own git,
 * which runs as they would run it.
 */
import { spawn } from 'node:child_process'
import { findBash, programOutside } from '../../paths/program.ts'
import { HARMLESS_GIT, harmlessEnvironment } from '../../shell/harmless.ts'

export interface GitOptions {
  /** A real path. */
  cwd: string
  env?: NodeJS.ProcessEnv
  signal?: AbortSignal | undefined
}

export interface GitOutput {
  code: number
  /** Standard output; of `ownGit` what it said on both. */
  text: string
  /** What it said about a failure. */
  problem: string
  /** It said more than was asked for. */
  isCut: boolean
}

/** Bytes. */
const mostRead = 4 * 1024 * 1024

/** Reads only: no hook, filter, pager, textconv or transport runs. `most`: bytes that are kept of it. */
export function readGit(
  args: readonly string[],
  { cwd, env = process.env, signal }: GitOptions,
  most = mostRead,
): Promise<GitOutput> {
  const bash = findBash(env)
  if (bash === undefined) throw new Error('there is no bash')
  const child = spawn(bash, ['--norc', '--noprofile', '-c', `${HARMLESS_GIT}\ngit "$@"`, 'git', ...args], {
    cwd,
    env: harmlessEnvironment(env, { project: cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  })
  return outputOf(child, most)
}

/**
 * The person's git with its hooks and its signature. `input`: on its standard input, where nobody is at the terminal;
 * with `terminal` it has that one, and what it says is shown there too.
 */
export function ownGit(
  args: readonly string[],
  { cwd, env = process.env, signal, input, terminal }: GitOptions & { input?: string; terminal?: boolean },
): Promise<GitOutput> {
  const { OLLAMA_API_KEY: _, ...given } = env
  const child = spawn(programOutside(cwd, 'git', { path: env.PATH }) ?? '/usr/bin/git', args, {
    cwd,
    env: terminal ? given : { ...given, GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'false' },
    stdio: [terminal ? 'inherit' : 'pipe', terminal ? 'inherit' : 'pipe', 'pipe'],
    ...(signal && { signal }),
  })
  if (terminal) child.stderr?.on('data', bytes => process.stderr.write(bytes))
  child.stdin?.on('error', () => {}) // It may end before it has read everything.
  child.stdin?.end(input ?? '')
  return outputOf(child, mostRead, true)
}

function outputOf(child: ReturnType<typeof spawn>, most: number, isOne = false): Promise<GitOutput> {
  let isCut = false
  const keeping = (): { parts: Buffer[]; keep(bytes: Buffer): void } => {
    const parts: Buffer[] = []
    let room = most
    return {
      parts,
      keep(bytes) {
        if (bytes.length > room) isCut = true
        parts.push(bytes.subarray(0, room))
        room = Math.max(0, room - bytes.length)
      },
    }
  }
  const said = keeping()
  const problem = isOne ? said : keeping()
  child.stdout?.on('data', said.keep)
  child.stderr?.on('data', problem.keep)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => {
      const text = ({ parts }: { parts: Buffer[] }) => Buffer.concat(parts).toString()
      resolve({ code: code ?? 1, text: text(said), problem: text(problem), isCut })
    })
  })
}
