import type { DialectName } from '../protocol/messages.ts'
import type { Dialect } from './dialect.ts'
import { inSystem } from './in-system.ts'
import { json } from './json/json.ts'
import { native } from './native.ts'
import { react } from './react/react.ts'

const DIALECTS: Record<DialectName, Dialect> = { native, react, json }

/**
 * The dialect of that name; `toolsInSystem`: one whose tools stand in the system message, as those of the text dialects
 * do anyway. Dialects keep no state: that is in the parser of each reply.
 */
export function createDialect(name: DialectName, { toolsInSystem = false } = {}): Dialect {
  return toolsInSystem && name === 'native' ? inSystem : DIALECTS[name]
}
