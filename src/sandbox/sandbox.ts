/**
 * The second wall: what the system has to keep a command from changing, reading and reaching what it should not. Linux by
 * bubblewrap, macOS by sandbox-exec. It is believed only after it has proved itself, the first time that somebody needs it.
 */
import { execFile } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { isExecutable, programOutside } from '../paths/program.ts'
import { makeTemporary } from '../paths/temporary.ts'
import type { Where } from '../protocol/access.ts'
import { messageOf } from '../text/message-of.ts'
import { bubblewrapArguments } from './bubblewrap.ts'
import type { Profile } from './profile.ts'
import { seatbeltProfile, seatbeltTmp } from './seatbelt.ts'
import { type Ground, guardedNames, survey } from './survey.ts'

export interface SandboxOptions extends Ground {
  /** In profile work: the whole network is there. */
  network: boolean
  /** Whether the file tools of this session wrote a file (a real path). Default: none. */
  isOwn?(real: string): boolean
}

type Walled = Exclude<Where, 'harmless'>

export interface Sandbox {
  /** Why it does not hold here; undefined: it does. Proved once. */
  problem(): Promise<string | undefined>
  /** How to start a program in it. Looks at the disk for what it has to hide. */
  launch(where: Walled): Launch
  /** Something has come that the newest sandbox of this kind ought to hide or keep, and does not. */
  isStale(where: Walled): boolean
  /**
   * Before a command in profile work. Afterwards: what is protected and was not there before is given another name, under
   * which nobody heeds it. → a sentence for each.
   */
  watch(): () => string[]
}

type Launch = (
  program: readonly string[],
  options: { cwd: string; directory: string },
) => { program: string; args: string[] }

/** Costs nothing until it is asked for something. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const program = () => findProgram(options)
  const guarded = new Map<Walled, string>()
  const signature = () => guardedNames(options).join('\n')
  const launch =
    (where: Walled): Launch =>
    (command, { cwd, directory }) => {
      const profile = profileFor(where, options)
      guarded.set(where, signature())
      const tool = program() ?? 'bwrap'
      if (process.platform !== 'darwin')
        return { program: tool, args: [...bubblewrapArguments(profile, { cwd, directory }), ...command] }
      const real = realpathSync.native(directory)
      mkdirSync(seatbeltTmp(real), { recursive: true, mode: 0o700 })
      const inside = ['/usr/bin/env', `TMPDIR=${seatbeltTmp(real)}`, ...command]
      return { program: tool, args: ['-p', seatbeltProfile(profile, real), ...inside] }
    }
  let proof: Promise<string | undefined> | undefined
  return {
    launch,
    isStale: where => guarded.has(where) && guarded.get(where) !== signature(),
    watch() {
      const before = new Set(guardedNames(options))
      return () =>
        guardedNames(options)
          .filter(name => !before.has(name) && !isOwn(path.join(options.project, name), options.isOwn))
          .map(name => putAside(options.project, name))
    },
    problem() {
      proof ??=
        program() === undefined
          ? Promise.resolve(NO_PROGRAM[process.platform] ?? NO_SUCH)
          : prove(launch('sandbox-read'), options)
      return proof
    },
  }
}

/** A directory is, when all that is in it is. */
function isOwn(file: string, wrote: SandboxOptions['isOwn']): boolean {
  if (wrote === undefined || !lstatSync(file, { throwIfNoEntry: false })?.isDirectory())
    return wrote?.(file) === true
  const inner = readdirSync(file)
  return inner.length > 0 && inner.every(name => isOwn(path.join(file, name), wrote))
}

function putAside(project: string, name: string): string {
  const other = `${name}.from-sandbox-${Date.now().toString(36)}`
  renameSync(path.join(project, name), path.join(project, other))
  return `The command, or somebody while something ran in the sandbox, made ${name}, which is protected: it is called ${other} now. Use the write tool for it, which asks.`
}

const NO_SUCH = 'this system has no sandbox that gopi knows'
const NO_PROGRAM: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'bubblewrap (bwrap) is not installed',
  darwin: 'there is no /usr/bin/sandbox-exec',
}

function profileFor(where: Walled, { network, ...ground }: SandboxOptions): Profile {
  const canWrite = where === 'sandbox-work'
  return {
    ...survey(ground),
    project: ground.project,
    canWrite,
    network: canWrite && network,
    // Most systems have some of them as links.
    scratch: folder => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true,
  }
}

/** The system's own first; never one of the project's. */
function findProgram({ env, project }: SandboxOptions): string | undefined {
  if (process.platform === 'darwin') return isExecutable(SEATBELT) ? SEATBELT : undefined
  if (process.platform !== 'linux') return undefined
  return programOutside(project, 'bwrap', { path: env.PATH })
}

const SEATBELT = '/usr/bin/sandbox-exec'

/** What has to fail in profile read, each in a word; `held` at the end says that all of it was tried. */
const TRIALS = `
for d in "$1" "$2"; do (: >"$d/$7") 2>/dev/null; done
(ls "$3"/* >/dev/null) 2>/dev/null && echo reads what is hidden
kill -0 "$4" 2>/dev/null && [ "$5" = darwin ] && echo signals others
[ "$5" = linux ] && case $(cat /proc/1/cmdline 2>/dev/null) in *bwrap*) :;; *) echo sees other processes;; esac
[ "$5" = linux ] && [ "$(grep -c : /proc/net/dev)" -gt 1 ] && echo has a network
(: >"$6/$7") 2>/dev/null || echo has no directory of its own
echo held`

const PATIENCE_MS = 5_000

async function prove(
  launch: Launch,
  { project, home, gopiHome }: SandboxOptions,
): Promise<string | undefined> {
  const directory = makeTemporary('proof')
  const name = `.${path.basename(directory)}`
  try {
    const trials = ['bash', '--noprofile', '--norc', '-c', TRIALS, 'bash']
    const facts = [project, home, gopiHome, String(process.pid), process.platform, directory, name]
    const { program, args } = launch([...trials, ...facts], { cwd: project, directory })
    const { stdout } = await promisify(execFile)(program, args, { cwd: project, timeout: PATIENCE_MS })
    const found = stdout.trim().split('\n')
    // A home in a directory that is private there can be written, and nobody sees it.
    const written = [project, home].map(folder => path.join(folder, name)).filter(file => existsSync(file))
    for (const file of written) rmSync(file)
    if (written.length > 0) return 'it writes where it should not'
    return found.length === 1 && found[0] === 'held' ? undefined : `it ${found[0] || 'says nothing'}`
  } catch (error) {
    // What the system says then names the program.
    if (!existsSync(project)) return `the directory ${project} is gone`
    const { stderr } = error as { stderr?: string }
    return (stderr || messageOf(error)).trim().split('\n')[0]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
