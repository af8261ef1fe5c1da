/** What gopi finds on this machine: programs, the sandbox, the terminal, its own files, the folder. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { promisify } from 'node:util'
import { claims, trustOf } from '../assembly/trust.ts'
import type { LoadedConfig } from '../config/load.ts'
import { homeProblems } from '../config/own-home.ts'
import { programOutside } from '../paths/program.ts'
import { type Finding, finding } from './finding.ts'

export interface MachineOptions {
  loaded: LoadedConfig
  /** gopi's own. */
  home: string
  cwd: string
  env: NodeJS.ProcessEnv
  terminal: { isTTY?: boolean; columns?: number; rows?: number; getColorDepth?(): number }
}

export async function examineMachine(options: MachineOptions): Promise<Finding[]> {
  const [bash, git, ripgrep, sandbox] = await Promise.all([
    program(options, 'bash'),
    program(options, 'git'),
    program(options, 'rg'),
    examineSandbox(options),
  ])
  return [
    bash === undefined ? finding('fail', 'bash', 'bash.missing', {}) : aboutBash(bash),
    git === undefined
      ? finding('warn', 'git', 'git.missing', {})
      : finding('ok', 'git', 'program.found', git),
    ripgrep === undefined
      ? finding('warn', 'ripgrep', 'ripgrep.missing', {})
      : finding('ok', 'ripgrep', 'program.found', ripgrep),
    sandbox,
    ...aboutTerminal(options),
    ...aboutFiles(options),
    aboutTrust(options),
  ]
}

type Program = Readonly<Record<'file' | 'version', string>>

async function program({ cwd, env }: MachineOptions, name: string): Promise<Program | undefined> {
  const file = programOutside(cwd, name, { path: env.PATH })
  if (file === undefined) return undefined
  const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 5_000, cwd: '/' }).catch(
    () => ({
      stdout: '',
    }),
  )
  return { file, version: /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? '?' }
}

function aboutBash(bash: Program): Finding {
  const [major = 0, minor = 0] = bash.version.split('.').map(Number)
  if (major < 3 || (major === 3 && minor < 2))
    return finding('fail', 'bash', 'bash.old', { version: bash.version })
  return finding('ok', 'bash', 'program.found', bash)
}

async function examineSandbox({ loaded, cwd, home: gopiHome, env }: MachineOptions): Promise<Finding> {
  const { sandbox: setting } = loaded.config
  const mode = (typeof setting === 'string' ? setting : setting.mode) ?? 'auto'
  if (mode === 'off') return finding('ok', 'sandbox', 'sandbox.off', {})
  const [{ createSandbox }, { survey }] = await Promise.all([
    import('../sandbox/sandbox.ts'),
    import('../sandbox/survey.ts'),
  ])
  const ground = { project: cwd, home: env.HOME ?? homedir(), gopiHome, env }
  const network = (typeof setting === 'object' ? setting.network : undefined) ?? []
  const sandbox = createSandbox({ ...ground, network })
  const why = await sandbox.problem('sandbox-work')
  await sandbox.close()
  if (why !== undefined)
    return mode === 'required'
      ? finding('fail', 'sandbox', 'sandbox.required', { why })
      : finding('warn', 'sandbox', 'sandbox.none', { why })
  const { hidden, kept } = survey(ground)
  return finding('ok', 'sandbox', 'sandbox.holds', {
    ...{ hidden: hidden.length, kept: kept.length },
    hosts: network.includes('*') ? '*' : network.join(', '),
  })
}

function aboutTerminal({ terminal, env }: MachineOptions): Finding[] {
  const name = env.TERM ?? ''
  if (!terminal.isTTY) return [finding('ok', 'terminal', 'terminal.none', {})]
  if (/^(dumb)?$/.test(name)) return [finding('warn', 'terminal', 'terminal.dumb', { name })]
  const { columns = 80, rows = 24 } = terminal
  const depth = terminal.getColorDepth?.() ?? 1
  const colours = depth >= 24 ? 'truecolor' : `${2 ** depth} colours`
  return [
    finding('ok', 'terminal', 'terminal.good', { name, colours, columns, rows }),
    ...(columns < 60 || rows < 15 ? [finding('warn', 'terminal', 'terminal.narrow', { columns, rows })] : []),
  ]
}

function aboutFiles({ loaded, home }: MachineOptions): Finding[] {
  const files = loaded.files.filter(({ found }) => found).map(({ file }) => file)
  const problems = homeProblems(home)
  return [
    files.length > 0
      ? finding('ok', 'config', 'config.files', { files })
      : finding('ok', 'config', 'config.defaults', {}),
    ...loaded.notices.map(what => finding('warn', 'config', 'said', { what })),
    ...problems.map(problem => finding('warn', 'home', 'home.problem', { problem })),
    ...(problems.length > 0
      ? []
      : [finding('ok', 'home', existsSync(home) ? 'home.private' : 'home.none', { home })]),
  ]
}

function aboutTrust({ home, cwd }: MachineOptions): Finding {
  const files = claims(cwd)
  if (files.length === 0) return finding('ok', 'trust', 'trust.none', {})
  if (trustOf(home, cwd) === true) return finding('ok', 'trust', 'trust.yes', {})
  return finding('warn', 'trust', 'trust.no', { files })
}
