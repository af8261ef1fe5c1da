/**
 * One JSON object that follows the schema of a request. Its keys may be named in any way that says what they are for
 * (gopi names them so that their order survives sorting): a kind, a text, a thought, calls with names and arguments.
 */
import { isRecord } from '../../text/record.ts'
import type { Call } from './task.ts'

export interface Content {
  text: string
  calls: readonly Call[]
}

type Schema = Record<string, unknown>

export function fillSchema(schema: Schema, content: Content): unknown {
  const variant = pickVariant(schema, option =>
    suits(option, content.calls.length > 0 ? ['call'] : ['chat', 'answer']),
  )
  return fillObject(variant, (key, inner) => {
    const words = enumOf(inner)
    if (words.length > 0) return pickWord(words, content.calls.length > 0)
    if (inner.type === 'array')
      return content.calls.map(call => fillCall(isRecord(inner.items) ? inner.items : {}, call))
    if (inner.type === 'string' && !/thought|reason/.test(key)) return content.text
    return undefined
  })
}

function fillCall(schema: Schema, call: Call): unknown {
  const variant = pickVariant(schema, option => suits(option, [call.name]))
  return fillObject(variant, (key, inner) => {
    if (/arg|param|input/.test(key)) return call.arguments
    if (/name|tool/.test(key)) return call.name
    return enumOf(inner)[0]
  })
}

/** The object's properties in the schema's order; what nobody knows becomes the emptiest value of its type. */
function fillObject(schema: Schema, value: (key: string, inner: Schema) => unknown): Record<string, unknown> {
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : []
  return Object.fromEntries(
    properties.map(([key, inner]) => {
      const shape = isRecord(inner) ? inner : {}
      return [key, value(key, shape) ?? emptyOf(shape)]
    }),
  )
}

function pickVariant(schema: Schema, suits: (option: Schema) => boolean): Schema {
  const options = [schema.anyOf, schema.oneOf].find(Array.isArray)?.filter(isRecord)
  return options?.find(suits) ?? options?.[0] ?? schema
}

function suits(option: Schema, words: readonly string[]): boolean {
  const text = JSON.stringify(option)
  return words.some(word => text.includes(`"${word}"`))
}

function enumOf(schema: Schema): string[] {
  const words = Array.isArray(schema.enum) ? schema.enum : schema.const === undefined ? [] : [schema.const]
  return words.filter(word => typeof word === 'string')
}

function pickWord(words: readonly string[], calls: boolean): string | undefined {
  return words.find(word => /call|tool|act/.test(word) === calls) ?? words[0]
}

function emptyOf({ type }: Schema): unknown {
  if (type === 'array') return []
  if (type === 'object') return {}
  if (type === 'boolean') return false
  return type === 'number' || type === 'integer' ? 0 : ''
}
