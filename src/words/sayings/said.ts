import type { CodeOf, Fact, Reason, Said, Told } from '../../protocol/sayings.ts'
import type { Sayings } from './en.ts'

/** A saying without a sentence, as a reason within another is. `code.case` puts the case among the facts. */
export function said<Key extends keyof Sayings>(key: Key, facts: Sayings[Key]): Said & { code: CodeOf<Key> } {
  const [first, ...rest] = key.split('.')
  const code = first as CodeOf<Key>
  const given = facts as Readonly<Record<string, Fact>>
  return { code, facts: rest.length === 0 ? given : { case: rest.join('.'), ...given } }
}

/** Without its English sentence: as a fact of another saying. */
export const bare = ({ code, facts }: Said): Said => ({ code, facts })

/** The reason that an event or an approval carries, as a saying again. */
export const saidOf = ({ why, code = '', facts = {} }: Reason): Told => ({ code, facts, message: why })
