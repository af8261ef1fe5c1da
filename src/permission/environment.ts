import { readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isInside } from './paths.ts'

/** gopi's own: the key for a server, which no command needs. */
const OWN_SECRETS = ['OLLAMA_API_KEY']

/** Programs that only read, as gopi lets them run unasked: a folder of the project that has one of these names stands last. */
const READERS: ReadonlySet<string> = new Set([
  ...[
    'ls',
    'cat',
    'head',
    'tail',
    'wc',
    'grep',
    'egrep',
    'fgrep',
    'rg',
    'find',
    'fd',
    'sort',
    'uniq',
    'cut',
    'tr',
  ],
  ...[
    'git',
    'file',
    'stat',
    'du',
    'df',
    'diff',
    'cmp',
    'comm',
    'pwd',
    'date',
    'which',
    'sed',
    'awk',
    'jq',
    'tree',
  ],
  ...[
    'basename',
    'dirname',
    'realpath',
    'readlink',
    'echo',
    'printf',
    'env',
    'uname',
    'whoami',
    'id',
    'ps',
    'bash',
    'sh',
  ],
])

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
  const kept = Object.entries(env).filter(([name]) => !patterns.some(pattern => pattern.test(name)))
  return Object.fromEntries(
    kept.map(([name, value = '']) => {
      if (name === 'OLLAMA_HOST') return [name, value.replace(/[^/]*@/, '')]
      return [name, name === 'PATH' ? safePath(value, cwd) : value]
    }),
  )
}

/** Relative entries mean another folder after each `cd`: they are left out. */
function safePath(variable: string, cwd: string): string {
  const entries = variable.split(path.delimiter).filter(entry => path.isAbsolute(entry))
  const last = new Set(entries.filter(entry => standsIn(entry, cwd)))
  return [...entries.filter(entry => !last.has(entry)), ...last].join(path.delimiter)
}

function standsIn(directory: string, project: string): boolean {
  try {
    return (
      isInside(realpathSync.native(directory), project) &&
      readdirSync(directory).some(name => READERS.has(name))
    )
  } catch {
    return false
  }
}
