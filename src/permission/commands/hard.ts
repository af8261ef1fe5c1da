/** The hard class: what destroys, or takes privileges. It asks in every mode, and no rule speaks for it. */

import path from 'node:path'
import { isInside } from '../../paths/inside.ts'
import type { Said } from '../../protocol/sayings.ts'
import { said } from '../../words/sayings/said.ts'
import type { ShellWord } from '../shell/line.ts'
import { nameOf, programOf, SHELLS } from '../shell/programs.ts'
import { FIND_RUNS } from './handed-on.ts'

export interface Ground {
  /** The session's directory, a real path. */
  project: string
  home: string
  gopiHome: string
  /** The real paths that a word may mean; undefined: nobody can say. */
  resolve(word: ShellWord): string[] | undefined
}

const PRIVILEGE: ReadonlySet<string> = new Set(
  `sudo sudoedit su doas pkexec run0 runuser gsudo runas su-exec gosu visudo passwd chsh chfn useradd adduser usermod
  userdel groupadd groupmod`.split(/\s+/),
)
/** Calls that decide what other programs run from now on. */
const STEERING: Readonly<Record<string, RegExp>> = {
  crontab: /^(?!-l$|-u$)/,
  systemctl: /^(enable|link|edit|set-default)$/,
  launchctl: /^(load|bootstrap|submit|enable)$/,
  npm: /^(set|config)$/,
  pnpm: /^config$/,
  yarn: /^config$/,
  pip: /^config$/,
  pip3: /^config$/,
}
type Destroying =
  | `ends_${'machine' | 'processes'}`
  | `destroys_${'files' | 'system' | 'device'}`
  | `changes_${'partitions' | 'encrypted'}`
const DESTROYING: Readonly<Record<string, Destroying>> = {
  shutdown: 'ends_machine',
  reboot: 'ends_machine',
  halt: 'ends_machine',
  poweroff: 'ends_machine',
  telinit: 'ends_machine',
  shred: 'destroys_files',
  wipefs: 'destroys_system',
  fdisk: 'changes_partitions',
  sfdisk: 'changes_partitions',
  gdisk: 'changes_partitions',
  sgdisk: 'changes_partitions',
  lvremove: 'destroys_system',
  vgremove: 'destroys_system',
  parted: 'changes_partitions',
  killall5: 'ends_processes',
  blkdiscard: 'destroys_device',
  cryptsetup: 'changes_encrypted',
}

/** Why a command is of the hard class. */
export function hardClass(words: readonly ShellWord[], ground: Ground): Said | undefined {
  const name = programOf(words).toLowerCase()
  const args = words.slice(1)
  if (PRIVILEGE.has(name)) return said('permission.privileges', { name })
  const destroying = Object.hasOwn(DESTROYING, name) ? DESTROYING[name] : undefined
  if (destroying) return said(`permission.${destroying}`, { name })
  if (/^(mkfs|mke2fs|mkswap|newfs)/.test(name)) return said('permission.makes_system', { name })
  const steering = Object.hasOwn(STEERING, name) ? STEERING[name] : undefined
  const command = args.find(({ value }) => !value?.startsWith('-') || name === 'crontab')?.value ?? ''
  const isReading = /^(get|list|ls)$/.test(args[1]?.value ?? '')
  if (steering?.test(command) && command !== '' && !isReading)
    return said('permission.runs_from_now', { what: `\`${name} ${command}\`` })
  switch (name) {
    case 'init':
      return /^[0-6sSqQ]$/.test(args[0]?.value ?? '') ? said('permission.ends_machine', { name }) : undefined
    case 'pkill':
    case 'killall':
      return args.some(({ value }) => /^(-[a-zA-Z]*[uU]|--(e?uid|user))/.test(value ?? ''))
        ? said('permission.ends_users', { what: `\`${name} -u\`` })
        : undefined
    case 'kill':
      return args.slice(1).some(({ value }) => value === '-1')
        ? said('permission.ends_yours', { what: '`kill -1`' })
        : undefined
    case 'rsync':
      return args.some(({ value }) => /^--del/.test(value ?? ''))
        ? destroys('rsync --delete', args.slice(-1), ground)
        : undefined
    case 'rimraf':
    case 'trash':
    case 'trash-put':
    case 'del-cli':
    case 'srm':
      return destroys(name, args, ground)
    case 'rm':
      return recursive(args) ? destroys('rm -r', args, ground) : undefined
    case 'find':
      return args.some(isDeleting) ? destroys('find -delete', args.slice(0, 1), ground) : undefined
    case 'mv':
      return destroys('mv', args.slice(0, -1), ground, false)
    case 'chmod':
    case 'chown':
    case 'chgrp':
    case 'setfacl':
    case 'chattr':
      return recursive(args) || args.some(isDynamicOption)
        ? said('permission.changes_tree', { what: `\`${name} -R\`` })
        : undefined
    case 'dd':
      return args.some(({ value, text }) =>
        value === undefined ? /of=|^["$]/.test(text) : value.startsWith('of=/dev/'),
      )
        ? said('permission.overwrites_device', { what: '`dd of=`' })
        : undefined
    case 'diskutil':
      return args.some(({ value }) => /^(erase|partition|zero|secure)/i.test(value ?? ''))
        ? said('permission.destroys_disk', { name })
        : undefined
    case 'systemctl':
      return args.some(({ value }) => /^(poweroff|reboot|halt|kexec|suspend|hibernate)$/.test(value ?? ''))
        ? said('permission.ends_machine_so', {})
        : undefined
    default:
      return undefined
  }
}

/** `-delete`, and `rm` right behind `-exec`. */
const isDeleting = ({ value = '' }: ShellWord, n: number, args: readonly ShellWord[]): boolean =>
  value === '-delete' ||
  (FIND_RUNS.has(value) && /^(rm|shred|unlink|srm)$/.test(programOf(args.slice(n + 1))))

const isDynamicOption = ({ value, text }: ShellWord): boolean => value === undefined && /^\$/.test(text)

const recursive = (args: readonly ShellWord[]): boolean =>
  args.some(({ value }) => /^(-[a-zA-Z]*[rR]|--r)/.test(value ?? '')) ||
  // Any word may turn out to be an option.
  args.some(isDynamicOption)

function destroys(
  call: string,
  args: readonly ShellWord[],
  ground: Ground,
  whatever = true,
): Said | undefined {
  for (const word of args) {
    if (word.value?.startsWith('-')) continue
    const targets = ground.resolve(word)
    if (targets === undefined) {
      if (whatever) return said('permission.what_destroys', { what: `\`${call} ${word.text}\`` })
      continue
    }
    const hit = targets.find(target => isPrecious(target, ground))
    if (hit !== undefined) return said('permission.destroys', { what: `\`${call}\``, file: hit })
    const directory = word.glob ? targets[0] && path.dirname(targets[0]) : undefined
    if (directory && /(^|\/)(\.?\*|\*\.\*)$/.test(word.value ?? '') && isPrecious(directory, ground))
      return said('permission.empties', { what: `\`${call} ${word.text}\``, directory })
  }
  return undefined
}

/** Home, root, the project, what they lie in, and `.git`. */
function isPrecious(target: string, { project, home, gopiHome }: Ground): boolean {
  return (
    [project, home, gopiHome].some(place => isInside(place, target)) ||
    path.dirname(target) === '/' ||
    path.dirname(target) === path.dirname(home) ||
    path.basename(target).toLowerCase() === '.git' ||
    /\/\.git\/(objects|refs|hooks)$/.test(target)
  )
}

const DOWNLOADERS: ReadonlySet<string> = new Set(
  'curl wget fetch aria2c nc ncat netcat socat telnet ftp ssh lynx http https xh'.split(' '),
)
const INTERPRETERS =
  /^(python[\d.]*|perl|ruby|node|nodejs|deno|bun|php|lua|osascript|pwsh|powershell|tclsh|awk|source|\.|eval|parallel|batch|at|psql|sqlite3|mysql)$/

/**
 * Whether a line gets something from elsewhere and hands something to a program that runs it, or runs a file that lies
 * here. `programs`: as they are written.
 */
export function runsRemoteCode(programs: readonly string[]): boolean {
  const runs = (program: string) => {
    const name = nameOf(program)
    return (
      SHELLS.has(name) || INTERPRETERS.test(name) || /^\.{0,2}\/(?!(usr\/)?bin\/)|^\.{1,2}\//.test(program)
    )
  }
  return programs.some(program => DOWNLOADERS.has(nameOf(program))) && programs.some(runs)
}
