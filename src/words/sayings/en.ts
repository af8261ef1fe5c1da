import { EN_BACKEND } from './en-backend.ts'
import { EN_KIT } from './en-kit.ts'
import { EN_PERMISSION } from './en-permission.ts'
import { EN_SESSION } from './en-session.ts'
import type { Facts } from './sayings.ts'

export const EN_SENTENCES = { ...EN_BACKEND, ...EN_KIT, ...EN_PERMISSION, ...EN_SESSION }

/** Sentence → its facts. A key is a code, or `code.case` where a code has several sentences. */
export type Sayings = { [Key in keyof typeof EN_SENTENCES]: Facts<(typeof EN_SENTENCES)[Key]> }
