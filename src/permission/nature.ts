/** What the parts of a command line do, for a person who is asked about it. A word for the eye: nothing is decided by it. */
import path from 'node:path'
import { said } from '../words/sayings/said.ts'
import { inEnglish } from '../words/sayings/told.ts'
import type { Judged, Part } from './judge/judged.ts'
import type { LinePart } from './permission.ts'
import { gitReads, isWriter, NETWORK } from './where.ts'

/** A longer line is no better understood by a longer list. */
const most = 24

/** In the order in which they run, without what is only guessed; empty where there is one part alone. `asks`: no rule speaks for it. */
export function partsOf({ parts, writes, line }: Judged, asks: (part: Part) => boolean): LinePart[] {
  const own = parts.filter(({ verdict }) => !verdict.wraps && !verdict.guessed)
  const seen = new Map<string, LinePart>()
  for (const part of own) {
    const { text, verdict } = part
    const redirects = writes.length > 0 && /(^|[^=<>-])>/.test(text)
    const does = redirects ? 'writes' : natureOf(part)
    const [file] = writes
    const redirect =
      redirects && writes.length === 1 && file !== undefined && said('permission.redirect_writes', { file })
    const why = asks(part) ? (verdict.hard ?? verdict.unclear ?? verdict.changes) : redirect || undefined
    if (!seen.has(text))
      seen.set(text, { text, does, ...(why && line === undefined && { why: inEnglish(why) }) })
  }
  return seen.size < 2 ? [] : [...seen.values()].slice(0, most)
}

/** The word for one part. */
export function natureOf({ words, assignments, verdict }: Part): LinePart['does'] {
  if (verdict.changes === undefined) return 'reads'
  const [first, ...args] = words.slice(assignments)
  const name = path.basename(first ?? '')
  const command = args.find(word => !word?.startsWith('-')) ?? ''
  if (name === 'git' && gitReads.test(command)) return 'reads'
  if (NETWORK.has(name) || NETWORKING[name]?.test(command)) return 'network'
  return name === 'git' || isWriter(name, args) ? 'writes' : 'unknown'
}

const packages = /^(install|i|ci|add|update|up|upgrade|publish|create|dlx|x|init|login|outdated|audit)$/

/** Programs some of whose commands go out. */
const NETWORKING: Readonly<Record<string, RegExp>> = {
  git: /^(clone|fetch|pull|push|ls-remote|submodule|remote)$/,
  ...{ npm: packages, pnpm: packages, yarn: packages, bun: packages, gem: packages },
  ...{ pip: packages, pip3: packages, pipx: packages, poetry: packages, uv: /^(add|sync|pip|tool)$/ },
  cargo: /^(install|add|fetch|publish|update|search)$/,
  go: /^(get|install|mod)$/,
  ...{ docker: /^(pull|push|login|build|run)$/, podman: /^(pull|push|login|build|run)$/ },
  ...{ brew: packages, apt: packages, 'apt-get': packages, dnf: packages, yum: packages, apk: packages },
}
