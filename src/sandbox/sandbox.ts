/**
 * The second wall: what the system has to keep a command from changing, reading and reaching what it should not. Linux by
 * bubblewrap, macOS by sandbox-exec. It is believed only after it has proved itself, the first time that somebody needs it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { findBash, isExecutable, programOutside } from '../paths/program.ts'
import { makeTemporary } from '../paths/temporary.ts'
import type { Walled } from '../protocol/access.ts'
import { messageOf } from '../text/message-of.ts'
import { bubblewrapArguments } from './bubblewrap.ts'
import type { Profile } from './profile.ts'
import { seatbeltProfile, seatbeltTmp } from './seatbelt.ts'
import { type Ground, guardedNames, survey } from './survey.ts'
import type { Way } from './way.ts'

export interface SandboxOptions extends Ground {
  /** What profile work reaches, as the configuration names hosts; `*`: everything. */
  network: readonly string[]
  /** Whether the file tools of this session wrote a file (a real path). Default: none. */
  isOwn?(real: string): boolean
}

export interface Sandbox {
  /** Why it does not hold here; undefined: it does. Proved once, and of profile work also the way to the named hosts. */
  problem(where: Walled): Promise<string | undefined>
  /** What is set there, whatever else is. */
  env(where: Walled): Readonly<Record<string, string>>
  /** How to start a program in it. Looks at the disk for what it has to hide. Of profile work after it was proved. */
  launch(where: Walled): Launch
  /** Something has come that the newest sandbox of this kind ought to hide or keep, and does not. */
  isStale(where: Walled): boolean
  /**
   * Before a command in profile work. Afterwards: what is protected and was not there before is given another name, under
   * which nobody heeds it. → a sentence for each.
   */
  watch(): () => string[]
  /** Of profile work, where hosts are named: which, and those refused since this was last asked. */
  reach(): Reach | undefined
  /** What runs in it reaches nobody from now on. */
  close(): Promise<void>
}

/** What commands can reach, and could not. */
export interface Reach {
  named: readonly string[]
  refused: readonly string[]
}

type Launch = (
  program: readonly string[],
  options: { cwd: string; directory: string },
) => { program: string; args: string[]; depth: number }

/** Costs nothing until it is asked for something. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const program = () => findProgram(options)
  const guarded = new Map<Walled, string>()
  const signature = () => guardedNames(options).join('\n')
  const launch =
    (where: Walled): Launch =>
    (command, { cwd, directory }) => {
      const way = where === 'sandbox-work' ? open : undefined
      const profile = profileFor(where, { ...options, way })
      const wrapped = way?.wrap(command) ?? command
      guarded.set(where, signature())
      const tool = program() ?? 'bwrap'
      if (process.platform !== 'darwin')
        return {
          program: tool,
          args: [...bubblewrapArguments(profile, { cwd, directory }), ...wrapped],
          // Below bubblewrap's own two.
          depth: way === undefined ? 2 : 3,
        }
      const real = realpathSync.native(directory)
      mkdirSync(seatbeltTmp(real), { recursive: true, mode: 0o700 })
      const inside = ['/usr/bin/env', `TMPDIR=${seatbeltTmp(real)}`, ...wrapped]
      return { program: tool, args: ['-p', seatbeltProfile(profile, real), ...inside], depth: 0 }
    }
  const isNamed = options.network.length > 0 && !options.network.includes('*')
  let open: Way | undefined
  let proof: Promise<string | undefined> | undefined
  let proofOfWay: Promise<string | undefined> | undefined
  const proveWay = async () => {
    try {
      const { openWay } = await import('./way.ts')
      open = await openWay(options.network, options)
    } catch (error) {
      return messageOf(error)
    }
    return prove(launch('sandbox-work'), options, open)
  }
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
    env: where => (where === 'sandbox-work' ? open?.env : undefined) ?? {},
    reach: () => open && { named: options.network, refused: open.takeRefused() },
    async close() {
      await proofOfWay
      await open?.close()
    },
    async problem(where) {
      proof ??=
        program() === undefined
          ? Promise.resolve(NO_PROGRAM[process.platform] ?? NO_SUCH)
          : prove(launch('sandbox-read'), options)
      const problem = await proof
      if (problem !== undefined || where === 'sandbox-read' || !isNamed) return problem
      proofOfWay ??= proveWay()
      return proofOfWay
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

function profileFor(
  where: Walled,
  { network, way, ...ground }: SandboxOptions & { way: Way | undefined },
): Profile {
  const canWrite = where === 'sandbox-work'
  return {
    ...survey(ground),
    project: ground.project,
    canWrite,
    network: canWrite && (network.includes('*') || (way?.gate ?? false)),
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

/** And in profile work, where hosts are named: that they are asked for at a port, and that nothing else is there. */
const TRIALS_OF_WAY = `
if (exec 3<>/dev/tcp/127.0.0.1/$1) 2>/dev/null && exec 3<>/dev/tcp/127.0.0.1/$1; then
printf 'GET / HTTP/1.1\r\nHost: gopi\r\nConnection: close\r\n\r\n' >&3
read -r line <&3
case $line in 'HTTP/1.1 4'*) :;; *) echo has no answer from the hosts that are named;; esac
else echo has no way to the hosts that are named; fi
[ "$2" = linux ] && [ "$(grep -c : /proc/net/dev)" -gt 1 ] && echo has a network besides
echo held`

const PATIENCE_MS = 5_000

async function prove(launch: Launch, options: SandboxOptions, way?: Way): Promise<string | undefined> {
  const { project, home, gopiHome } = options
  const directory = makeTemporary('proof')
  const name = `.${path.basename(directory)}`
  try {
    const facts =
      way === undefined
        ? [TRIALS, 'bash', project, home, gopiHome, String(process.pid), process.platform, directory, name]
        : [TRIALS_OF_WAY, 'bash', String(way.gate.port), process.platform]
    const trials = [findBash(options.env) ?? 'bash', '--noprofile', '--norc', '-c', ...facts]
    const found = (await said(launch(trials, { cwd: project, directory }), options)).trim().split('\n')
    // A home in a directory that is private there can be written, and nobody sees it.
    const written = [project, home].map(folder => path.join(folder, name)).filter(file => existsSync(file))
    for (const file of written) rmSync(file)
    if (written.length > 0) return 'it writes where it should not'
    return found.length === 1 && found[0] === 'held' ? undefined : `it ${found[0] || 'says nothing'}`
  } catch (error) {
    // What the system says then names the program.
    if (!existsSync(project)) return `the directory ${project} is gone`
    return messageOf(error).trim().split('\n')[0]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What a program writes. Rejects with its errors where it fails. */
async function said(
  { program, args }: ReturnType<Launch>,
  { project, env }: SandboxOptions,
): Promise<string> {
  const child = spawn(program, args, {
    ...{ cwd: project, env, timeout: PATIENCE_MS, killSignal: 'SIGKILL' },
    // As many as a bash has.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  const [code, signal] = await once(child, 'close')
  if (code !== 0) throw new Error(texts.stderr || `it ends with ${code ?? signal}`)
  return texts.stdout
}
