/**
 * Makes sentences of sayings. The English catalogue says which sentences there are, and of which facts each is made; the
 * others have the same.
 */
import type { Said, Told } from '../../protocol/sayings.ts'

/** Words a saying within a saying; what is words already stays as it is. */
export type Say = (inner: Said | string) => string

/** Its facts are of its own kind: whoever calls it has looked it up by its key. */
export type Sentence = (facts: never, say: Say) => string

export type Catalogue = Readonly<Record<string, Sentence>>

/** Facts that are all text. */
export type Texts<Name extends string> = Readonly<Record<Name, string>>

/** What a sentence of the English catalogue is told. */
export type Facts<English> = English extends () => string
  ? Record<string, never>
  : English extends (facts: infer Given, say: Say) => string
    ? Given
    : never

/** What another language must say: every sentence of the English catalogue, of the same facts. */
export type Sentences<English> = {
  readonly [Key in keyof English]: (facts: Facts<English[Key]>, say: Say) => string
}

/** How a catalogue's language says a saying. A journal of another version may hold no more than the English sentence. */
export const sayer =
  (sentences: Catalogue) =>
  ({ code, facts, message }: Partial<Told> & { code: string }): string =>
    (facts && worded(sentences, { code, facts })) ?? message ?? code

/** undefined: the catalogue does not know it (a journal of another version). */
export function worded(sentences: Catalogue, said: Said): string | undefined {
  const { case: which } = said.facts
  const key = typeof which === 'string' ? `${said.code}.${which}` : said.code
  if (!Object.hasOwn(sentences, key)) return undefined
  const sentence = sentences[key] as (facts: Said['facts'], say: Say) => string
  return sentence(said.facts, inner => (typeof inner === 'string' ? inner : sayer(sentences)(inner)))
}
