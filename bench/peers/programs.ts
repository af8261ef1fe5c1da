/** How each assistant is installed and told to talk to our server, with nothing else of the network in its way. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { environment, gopi } from '../measure.ts'

export interface Program {
  /** With its version. */
  name: string
  /** gopi's time from spawn to the first request is to stay under this share of its own. */
  bound?: number
  /** An empty directory, which is its home and its project. */
  home: string
  env(host: string): NodeJS.ProcessEnv
  /** It asks for responses, not for chat completions. */
  speaksResponses?: boolean
  /** Writes its configuration. */
  configure(host: string): void
  command: readonly [string, ...string[]]
  /** How it is opened on a terminal, and what its first whole frame has. */
  screen?: { args: readonly string[]; shows: RegExp }
}

const usual = 'Run echo hi.'
/** The model that all of them ask for. */
export const model = 'bench'

export function gopiItself(directory: string, prompt = usual): Program {
  const home = freshHome(directory, 'gopi')
  return {
    name: 'gopi',
    home,
    env: host => environment({ HOME: home, GOPI_HOME: path.join(home, '.gopi'), OLLAMA_HOST: host }),
    configure() {},
    command: [process.execPath, gopi, '--model', 'bench', '--mode', 'yolo', '-p', prompt],
    screen: { args: [gopi, '--model', 'bench'], shows: /Say what you want/ },
  }
}

export function pi(directory: string, prompt = usual): Program {
  const { version, bin } = install(directory, 'pi', [
    '@earendil-works/pi-coding-agent',
    '@mariozechner/pi-coding-agent',
  ])
  const home = freshHome(directory, 'pi')
  return {
    name: `pi ${version}`,
    bound: 0.3,
    home,
    env: () => environment({ HOME: home, PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }),
    configure(host) {
      const server = { baseUrl: `${host}/v1`, api: 'openai-completions', apiKey: 'none' }
      const providers = { bench: { ...server, models: [{ id: 'bench' }] } }
      write(path.join(home, '.pi', 'agent', 'models.json'), JSON.stringify({ providers }))
    },
    command: [bin, '--provider', 'bench', '--model', 'bench', '-p', prompt],
    screen: { args: [realpathSync(bin), '--provider', 'bench', '--model', 'bench'], shows: /bench/ },
  }
}

export function codex(directory: string, prompt = usual): Program {
  const { version, bin } = install(directory, 'codex', ['@openai/codex'])
  const home = freshHome(directory, 'codex')
  return {
    name: `codex ${version}`,
    speaksResponses: true,
    home,
    env: () => environment({ HOME: home }),
    configure(host) {
      // Ollama takes every call for one of a tool that has no name, as web_search has none.
      const settings = `
model = "bench"
model_provider = "bench"
check_for_update_on_startup = false
web_search = "disabled"
[analytics]
enabled = false
[model_providers.bench]
name = "bench"
base_url = "${host}/v1"
wire_api = "responses"
`
      write(path.join(home, '.codex', 'config.toml'), settings)
    },
    command: [bin, 'exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
  }
}

/** The first of the packages that npm can install; throws when it is none. No script of a package is run. */
function install(
  directory: string,
  command: string,
  packages: readonly string[],
): { version: string; bin: string } {
  const failures: string[] = []
  for (const name of packages) {
    const prefix = path.join(directory, `install-${command}`, name)
    mkdirSync(prefix, { recursive: true })
    const options = ['--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save']
    const npm = spawnSync('npm', ['install', ...options, name], {
      cwd: prefix,
      encoding: 'utf8',
      timeout: 300_000,
    })
    if (npm.status === 0) {
      const modules = path.join(prefix, 'node_modules')
      const { version } = JSON.parse(readFileSync(path.join(modules, name, 'package.json'), 'utf8'))
      return { version, bin: path.join(modules, '.bin', command) }
    }
    const [, why = 'no reason given'] = /^npm error (?!code)(.*)$/m.exec(npm.stderr ?? '') ?? []
    failures.push(`npm cannot install ${name}: ${why}`)
  }
  throw new Error(failures.join('; '))
}

function freshHome(directory: string, name: string): string {
  const home = path.join(directory, `home-${name}`)
  mkdirSync(home, { recursive: true })
  return home
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
