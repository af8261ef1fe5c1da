/**
 * What a person is told, as data: which sentence it is, and the facts in it. The catalogues in `words/` make sentences
 * of it, in the language of the face; journals, `-p` and programs get the English one along. Which sentences there are is
 * in `words/sayings/en.ts`.
 */

/** Facts are values, never sentences; a reason within a reason is one of these again. */
export type Fact = string | number | boolean | readonly string[] | Said | undefined

export interface Said {
  code: string
  /** `case` tells the sentences of one code apart. */
  facts: Readonly<Record<string, Fact>>
}

/** Why something was decided, as events carry it: the English sentence, and what it is made of (old journals lack it). */
export interface Reason {
  why: string
  code?: string
  facts?: Said['facts']
}

/** With the English sentence. */
export interface Told extends Said {
  message: string
}

/** The code of a sentence's key: what stands before its first dot. */
export type CodeOf<Key extends string> = Key extends `${infer Code}.${string}` ? Code : Key
