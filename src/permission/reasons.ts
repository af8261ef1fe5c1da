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

/** All of them in one sentence, each once; undefined: there is none. */
export function together(reasons: readonly Said[]): Said | undefined {
  const each = [...new Map(reasons.map(reason => [inEnglish(reason).message, reason])).values()]
  const [first, ...others] = each.slice(0, MOST)
  const more = each.length - MOST
  if (more > 0) others.push(said('permission.more', { more }))
  return others.reduce<Said | undefined>((why, also) => why && said('permission.both', { why, also }), first)
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
