/** Programs that run another one: what they run is judged in their place. */
import path from 'node:path'
import type { ShellWord } from './line.ts'

export type Unwrapped =
  /** Another command, as words. `more`: it gets arguments that nobody sees here. */
  | { kind: 'words'; words: ShellWord[]; assignments: string[]; more: boolean }
  /** Another line. */
  | { kind: 'line'; text: string }
  /** A program follows, but gopi does not read this wrapper's options: any of the words may be its name. */
  | { kind: 'anywhere'; why: string }
  /** What runs is not in the line. */
  | { kind: 'hidden'; why: string }

interface Wrapper {
  /** Short options without a value. */
  flags?: string
  /** Short options with one. */
  valued?: string
  /** Words of its own before the command. */
  operands?: number
  assignments?: boolean
  more?: boolean
}

/** Only options that change nothing about what the inner command does. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { assignments: true, flags: 'i' },
  timeout: { valued: 'ks', flags: 'v', operands: 1 },
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
  `sudo doas su pkexec run0 runuser busybox toybox unshare nsenter chroot watch parallel flock chrt setarch
  strace ltrace gdb valgrind perf script firejail bwrap proot fakeroot systemd-run ssh entr dbus-run-session
  setpriv capsh start-stop-daemon daemonize screen tmux trickle proxychains proxychains4 xvfb-run uvx npx bunx pnpx
  rlwrap unbuffer cgexec numactl prlimit torsocks tsocks doppler direnv mise asdf nix-shell`.split(/\s+/),
)

export const SHELLS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'dash',
  'zsh',
  'ksh',
  'mksh',
  'ash',
  'fish',
  'rbash',
])

/** The name that a program is known by: `/usr/bin/rm` is rm. */
export const programOf = (words: readonly ShellWord[]): string => path.basename(words[0]?.value ?? '')

/** undefined: runs nothing but itself, as far as is known. */
export function unwrap(words: readonly ShellWord[]): Unwrapped | undefined {
  const name = programOf(words)
  const args = words.slice(1)
  if (SHELLS.has(name)) return shell(name, args)
  if (name === 'eval' || name === 'trap') return evaluated(name, name === 'trap' ? args.slice(0, 1) : args)
  if (name === 'command' && /^-[pvV]*[vV]/.test(args[0]?.value ?? '')) return undefined
  if (OTHER_WRAPPERS.has(name)) return { kind: 'anywhere', why: `${name} runs another program` }
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  return wrapper && peel(name, args, wrapper)
}

function peel(name: string, args: readonly ShellWord[], wrapper: Wrapper): Unwrapped | undefined {
  const { flags = '', valued = '', operands = 0, more = false } = wrapper
  const rest = [...args]
  const isValued = new RegExp(`^-[${flags}]*[${valued || '-'}]$`)
  const isAttached = new RegExp(`^-[${flags}]*[${valued || '-'}][^-].*$|^--signal=\\w+$`)
  const isFlag = new RegExp(`^-[${flags || '-'}]+$`)
  for (let word = rest[0]; word !== undefined; word = rest[0]) {
    const text = word.value
    if (text === undefined)
      return { kind: 'anywhere', why: `gopi cannot tell what \`${name} ${word.text}\` runs` }
    if (!text.startsWith('-') || text === '-') break
    rest.shift()
    if (text === '--') break
    if (valued !== '' && isValued.test(text)) rest.shift()
    else if (!(flags !== '' && isFlag.test(text)) && !(valued !== '' && isAttached.test(text)))
      return { kind: 'anywhere', why: `\`${name} ${text}\` runs another program` }
  }
  const assignments: string[] = []
  while (wrapper.assignments && /^\w+=/.test(rest[0]?.value ?? rest[0]?.text ?? ''))
    assignments.push(rest.shift()?.text ?? '')
  rest.splice(0, operands)
  return rest.length === 0 ? undefined : { kind: 'words', words: rest, assignments, more }
}

function shell(name: string, args: readonly ShellWord[]): Unwrapped | undefined {
  for (const [n, { value, text }] of args.entries()) {
    if (value === undefined) return { kind: 'hidden', why: `gopi cannot tell what \`${name} ${text}\` runs` }
    if (/^-[a-z]*c[a-z]*$/i.test(value)) {
      if (!/^-[ceuxl]+$/.test(value))
        return { kind: 'anywhere', why: `\`${name} ${value}\` runs another program` }
      return evaluated(`${name} -c`, args.slice(n + 1, n + 2))
    }
    if (/^--?(version|help)$/.test(value)) return undefined
    if (!/^-[euxl]+$/.test(value)) {
      return value.startsWith('-') || value.startsWith('+') || /^\/(dev|proc)\//.test(value)
        ? { kind: 'hidden', why: `\`${name} ${value}\` runs what it is given` }
        : undefined
    }
  }
  return { kind: 'hidden', why: `${name} runs what it is given` }
}

function evaluated(name: string, args: readonly ShellWord[]): Unwrapped | undefined {
  if (args.length === 0) return undefined
  const values = args.map(({ value, glob }) => (glob ? undefined : value))
  if (values.some(value => value === undefined))
    return {
      kind: 'hidden',
      why: `gopi cannot tell what \`${name} ${args.map(({ text }) => text).join(' ')}\` runs`,
    }
  return { kind: 'line', text: values.join(' ') }
}
