import { existsSync, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isInside } from '../paths/inside.ts'

/** gopi's own: the key for a server, which no command needs. */
const OWN_SECRETS = ['OLLAMA_API_KEY']

/** A folder of the project that has one of these stands last: programs that gopi lets run unasked, and shells. */
const READERS: ReadonlySet<string> = new Set(
  `[ arch awk b2sum base64 basename bash cat cksum cmp column comm cut date df diff dirname du echo egrep env expand expr false
  fd fdfind fgrep file find fmt fold gawk git grep groups head hexdump hostname id join jq ls mawk md5 md5sum nl nproc od
  paste pgrep printf ps pwd readlink realpath rev rg sed seq sh sha1sum sha256sum sha512sum shasum sleep sort stat strings
  tac tail test tr tree true tty uname unexpand uniq uptime wc which whoami xargs xxd`.split(/\s+/),
)

/** Never hidden: without them bash and git look in places of their own, the session's directory among them. */
const KEPT: ReadonlySet<string> = new Set(['PATH', 'HOME'])

interface Commands {
  /** Globs of names that commands do not get. */
  hidden: readonly string[]
  /** The session's directory, a real path. */
  cwd: string
}

/**
 * The environment that commands get: the person's, less gopi's own secrets and the names that `permission.env` keeps from
 * them, and with a PATH in which nothing of the project stands in for `ls` or `git`.
 */
export function commandEnvironment(env: NodeJS.ProcessEnv, { hidden, cwd }: Commands): NodeJS.ProcessEnv {
  const patterns = [...OWN_SECRETS, ...hidden].map(
    glob =>
      new RegExp(
        `^${glob
          .replace(/[\\^$+.()|[\]{}]/g, '\\$&')
          .replaceAll('*', '.*')
          .replaceAll('?', '.')}$`,
        'i',
      ),
  )
  const kept = Object.entries(env).filter(
    ([name]) => KEPT.has(name) || !patterns.some(pattern => pattern.test(name)),
  )
  return Object.fromEntries(
    kept.map(([name, value = '']) => {
      if (name === 'OLLAMA_HOST') return [name, value.replace(/[^/]*@/, '')]
      return [name, name === 'PATH' ? safePath(value, cwd) : value]
    }),
  )
}

/**
 * Relative entries mean another folder after each `cd`: they are left out. So is a folder of the project that would be
 * asked for a reader which nobody else has.
 */
function safePath(variable: string, cwd: string): string {
  const entries = variable.split(path.delimiter).filter(entry => path.isAbsolute(entry))
  const found = new Map(entries.map(entry => [entry, readersOfProject(entry, cwd)]))
  const first = entries.filter(entry => found.get(entry)?.length === 0)
  const isElsewhere = (name: string) => first.some(entry => existsSync(path.join(entry, name)))
  const last = entries.filter(entry => {
    const readers = found.get(entry) ?? []
    return readers.length > 0 && readers.every(isElsewhere)
  })
  return [...first, ...new Set(last)].join(path.delimiter)
}

/** The readers in a folder, where that lies in the project, or npm has put it on PATH. */
function readersOfProject(directory: string, project: string): string[] {
  try {
    const isOfPackages = /\/node_modules\/\.bin\/*$/.test(directory)
    // Whoever works in the root has no other folders.
    return isOfPackages ||
      (path.dirname(project) !== project && isInside(realpathSync.native(directory), project))
      ? readdirSync(directory).filter(name => READERS.has(name))
      : []
  } catch {
    return []
  }
}
