/** Programs that run another one: what they run is judged in their place. */
import { said } from '../../words/sayings/said.ts'
import { type OptionList, readOptions } from '../gate/options.ts'
import { lineFor, shellCall } from './evaluated.ts'
import type { Unwrapped } from './inner.ts'
import type { ShellWord } from './line.ts'
import { programOf, SHELLS } from './programs.ts'

interface Wrapper extends OptionList {
  /** Words of its own before the command. */
  operands?: number
  assignments?: boolean
  more?: boolean
}

/** Only options that change nothing about what the inner command does. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { assignments: true, flags: 'i' },
  timeout: { valued: 'ks', flags: 'v', longValued: ['signal'], operands: 1 },
  nice: { valued: 'n' },
  nohup: {},
  time: { flags: 'p' },
  command: { flags: 'p' },
  builtin: {},
  exec: { flags: 'cl', valued: 'a' },
  setsid: { flags: 'cfw' },
  stdbuf: { valued: 'ioe' },
  ionice: { valued: 'cn', flags: 't' },
  chronic: {},
  caffeinate: { flags: 'dimsu', valued: 't' },
  taskset: { operands: 1 },
  xargs: { flags: '0rtx', valued: 'nLPIsd', more: true },
}

/** These run another program too, in ways that only asking is safe for. */
const OTHER_WRAPPERS: ReadonlySet<string> = new Set(
  `sudo doas su pkexec run0 runuser sg newgrp busybox toybox unshare nsenter chroot watch parallel flock chrt setarch
  linux32 linux64 i386 x86_64 strace ltrace gdb lldb valgrind perf script firejail bwrap proot fakeroot systemd-run ssh
  entr dbus-run-session setpriv capsh start-stop-daemon daemonize screen tmux trickle proxychains proxychains4 xvfb-run
  uvx npx bunx pnpx rlwrap unbuffer expect cgexec numactl prlimit torsocks torify tsocks doppler direnv mise asdf
  nix-shell hyperfine eatmydata faketime cpulimit timelimit catchsegv ifne retry watchexec reflex nodemon concurrently
  cross-env cross-env-shell dotenv dotenvx env-cmd aws-vault at batch arch gosu tini dumb-init socat machinectl ld.so
  ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1`.split(/\s+/),
)

/** Without operands they run the lines that they read. */
const FED: ReadonlySet<string> = new Set(['parallel', 'batch', 'at'])

/** Programs of many commands, some of which run a program that follows. */
const CARRIERS: Readonly<Record<string, RegExp>> = {
  ...of(/^(exec|x|dlx|create|run)$/, 'npm pnpm yarn bun deno corepack volta cargo'),
  ...of(
    /^(run|shell)$/,
    'poetry pipenv pipx uv conda mamba micromamba hatch pdm rye pixi tox nox op infisical foreman heroku honcho',
  ),
  ...of(/^(exec|x)$/, 'bundle rbenv pyenv nodenv goenv jenv opam rvm chamber teller'),
  ...of(/^(run|exec|debug|start)$/, 'docker podman nerdctl docker-compose kubectl oc lxc incus'),
  ...of(/^(ssh|ssh-config|console)$/, 'vagrant fly flyctl gcloud'),
  ...of(/^(develop|run|shell)$/, 'nix guix'),
  ...of(/^-E$/, 'cmake'),
  ...of(/^(--command|--shell-arg)$/, 'just'),
}

function of(commands: RegExp, names: string): Record<string, RegExp> {
  return Object.fromEntries(names.split(' ').map(name => [name, commands]))
}

/** `input`: what the line itself gives the program to read. undefined: runs nothing but itself, as far as is known. */
export function unwrap(words: readonly ShellWord[], input?: string): Unwrapped | undefined {
  const name = programOf(words)
  const args = words.slice(1)
  if (SHELLS.has(name)) return shellCall(name, args, input)
  if (name === 'eval') return lineFor(name, args)
  if (name === 'trap') return lineFor(name, (args[0]?.value === '--' ? args.slice(1) : args).slice(0, 1))
  if (name === 'command' && /^-[pvV]*[vV]/.test(args[0]?.value ?? '')) return undefined
  // Without operands, `arch` says what the machine is.
  if (OTHER_WRAPPERS.has(name) && args.length > 0)
    return { kind: 'anywhere', why: said('permission.runs_another', { what: name }) }
  if (FED.has(name)) return { kind: 'hidden', why: said('permission.runs_given', { what: name }) }
  const carried = Object.hasOwn(CARRIERS, name) ? CARRIERS[name] : undefined
  const command = carried ? args.findIndex(({ value }) => carried.test(value ?? '')) : -1
  if (command >= 0) return { kind: 'carries', from: command + 2 }
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  return wrapper && peel(name, args, wrapper)
}

function peel(name: string, args: readonly ShellWord[], wrapper: Wrapper): Unwrapped | undefined {
  const { operands = 0, more = false } = wrapper
  const anywhere = (what: string): Unwrapped => ({
    kind: 'anywhere',
    why: said('permission.runs_another', { what: `\`${name} ${what}\`` }),
  })
  const options = readOptions(
    args.map(({ value }) => value ?? UNKNOWN),
    { ...wrapper, ordered: true },
  )
  if (typeof options === 'string') return anywhere(options)
  const rest = args.slice(args.length - options.operands.length)
  // To env a lone dash is -i.
  if (name === 'env' && rest[0]?.value === '-') return anywhere('-')
  const veiled = [...options.given.values()].some(value => value.includes(UNKNOWN))
  if (veiled || (rest[0] && rest[0].value === undefined))
    return anywhere(args.map(({ text }) => text).join(' '))
  const assignments: string[] = []
  while (wrapper.assignments && /^\w+=/.test(rest[0]?.value ?? rest[0]?.text ?? ''))
    assignments.push(rest.shift()?.text ?? '')
  rest.splice(0, operands)
  return rest.length === 0 ? undefined : { kind: 'words', words: rest, assignments, more }
}

/** A word that only running the line would tell. */
const UNKNOWN = '\0'
