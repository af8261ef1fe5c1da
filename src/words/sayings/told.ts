/** A saying with its English sentence: what events, errors and decisions carry. */

import type { CodeOf, Reason, Said, Told } from '../../protocol/sayings.ts'
import type { Sayings } from './en.ts'
import { EN_SENTENCES } from './en.ts'
import { said } from './said.ts'
import { worded } from './sayings.ts'

/** `told('turn_limit', { turns: 25 })`; `code.case` puts the case among the facts. */
export const told = <Key extends keyof Sayings>(
  key: Key,
  facts: Sayings[Key],
): Told & { code: CodeOf<Key> } => inEnglish(said(key, facts))

export const inEnglish = <Saying extends Said>({ code, facts }: Saying): Told & { code: Saying['code'] } => ({
  code,
  facts,
  message: worded(EN_SENTENCES, { code, facts }) ?? code,
})

export const asReason = ({ message, code, facts }: Told): Reason & Said => ({ why: message, code, facts })
