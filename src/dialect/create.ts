import type { DialectName } from '../protocol/messages.ts'
import type { Dialect } from './dialect.ts'
import { json } from './json/json.ts'
import { native } from './native.ts'
import { react } from './react/react.ts'

const DIALECTS: Record<DialectName, Dialect> = { native, react, json }

/** The dialect of that name. Dialects keep no state: that is in the parser of each reply. */
export function createDialect(name: DialectName): Dialect {
  return DIALECTS[name]
}
