/** What speaks against a call, as one sentence that a person still reads. */
import type { Said } from '../protocol/sayings.ts'
import { said } from '../words/sayings/said.ts'
import { inEnglish } from '../words/sayings/told.ts'
import type { Part } from './judge/judged.ts'

/** Why nobody speaks for a line: absent `part`, for what is not of a single part. */
export interface Reason {
  part?: Part
  why: Said
}

/** A person hears so many of one line, and how many more there are. */
const MOST = 4

/** What differs in reasons that are told as one, by their case: `npm, tee may change something`. */
const JOINED: Readonly<Record<string, string>> = {
  unknown_reader: 'name',
  writes_outside: 'file',
  redirect_writes: 'file',
}

/** All of them in one sentence, each once; undefined: there is none. */
export function together(reasons: readonly Said[]): Said | undefined {
  const once = [...new Map(reasons.map(reason => [inEnglish(reason).message, reason])).values()]
  const each = joined(once)
  const [first, ...others] = each.slice(0, MOST)
  const more = each.length - MOST
  if (more > 0) others.push(said('permission.more', { more }))
  return others.reduce<Said | undefined>((why, also) => why && said('permission.both', { why, also }), first)
}

/** Those of a kind as one, where the first of them stands. */
function joined(reasons: readonly Said[]): Said[] {
  const kinds = new Map<unknown, { reason: Said; what: unknown[] }>()
  for (const reason of reasons) {
    const { case: kind } = reason.facts
    const name = typeof kind === 'string' ? JOINED[kind] : undefined
    const what = name === undefined ? [] : [reason.facts[name]]
    const known = name === undefined ? undefined : kinds.get(kind)
    if (known) known.what.push(...what)
    else kinds.set(name === undefined ? reason : kind, { reason, what })
  }
  return [...kinds.values()].map(({ reason, what }) => {
    const name = JOINED[String(reason.facts.case)]
    if (name === undefined || what.length < 2) return reason
    const told = [...what.slice(0, MOST), ...(what.length > MOST ? ['…'] : [])].join(', ')
    return { ...reason, facts: { ...reason.facts, [name]: told } }
  })
}

/**
 * A single one says in which of so many parts. Of several each names what it is about, and whoever is asked sees the parts;
 * that a line is not understood in full, or what may be a command, says nothing beside them.
 */
export function reasonOf(reasons: readonly Reason[], parts: number): Said | undefined {
  const telling = reasons.filter(
    ({ part, why }) => why.facts.case !== 'not_understood' && !part?.verdict.guessed,
  )
  const [first, ...others] = telling.length > 0 ? telling : reasons
  if (!first) return undefined
  const message = inEnglish(first.why).message
  if (!first.part || parts < 2 || others.some(({ why }) => inEnglish(why).message !== message))
    return together([first, ...others].map(({ why }) => why))
  return said('permission.in_part', { why: first.why, part: short(first.part.text) })
}

const short = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
