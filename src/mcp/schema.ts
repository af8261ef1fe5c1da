/**
 * A server's JSON Schema as small models can follow it: one flat object of plain properties. References are followed, of
 * unions the first kind is shown, what lies deeper is told in the description. Calls are checked against the schema itself.
 */
import type { ParameterSchema } from '../protocol/wire.ts'
import { fieldsOf, isRecord } from '../text/record.ts'
import { described } from './offer.ts'

type Property = ParameterSchema['properties'][string]
type Schema = Record<string, unknown>

/** Levels of an object that are told, and characters of that. */
const DEEPEST = 3
const LONGEST_SHAPE = 200
const MOST_PROPERTIES = 40
const MOST_VALUES = 30

export function flatSchema(root: Schema): ParameterSchema {
  const top = plain(root, root)
  const required = strings(top.required)
  const all = Object.entries(fieldsOf(top.properties)).filter(([name]) => /^[^\s\p{Cc}]{1,64}$/u.test(name))
  // What must be given stands in the list, however long that is.
  const shown = all.filter(([name], n) => n < MOST_PROPERTIES || required.includes(name))
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map(([name, schema]) => [name, flatProperty(schema, root)])),
    required: required.filter(name => shown.some(([known]) => known === name)),
  }
}

function flatProperty(given: unknown, root: Schema): Property {
  const schema = plain(given, root)
  const type = typeOf(schema)
  const description = described(fieldsOf(given).description ?? schema.description)
  const items = type === 'array' ? plain(schema.items, root) : undefined
  const values = strings(schema.enum).slice(0, MOST_VALUES)
  const isDeep = type === 'object' || (items && typeOf(items) === 'object')
  const shape = isDeep ? shapeOf(schema, root, 0) : ''
  const told = [description, shape.length > LONGEST_SHAPE ? `${shape.slice(0, LONGEST_SHAPE)}…` : shape]
    .filter(text => text !== '' && text !== '{}')
    .join(' ')
  return {
    type,
    ...(told !== '' && { description: told }),
    ...(values.length > 0 && { enum: values }),
    ...(items && { items: { type: typeOf(items) } }),
  }
}

/** `{path: string, lines?: [integer]}` */
function shapeOf(given: unknown, root: Schema, depth: number): string {
  const schema = plain(given, root)
  const type = typeOf(schema)
  if (depth >= DEEPEST) return type
  if (type === 'array') return `[${shapeOf(schema.items, root, depth + 1)}]`
  if (type !== 'object') return type
  const required = strings(schema.required)
  const members = Object.entries(fieldsOf(schema.properties)).slice(0, MOST_PROPERTIES)
  return `{${members
    .map(
      ([name, inner]) => `${name}${required.includes(name) ? '' : '?'}: ${shapeOf(inner, root, depth + 1)}`,
    )
    .join(', ')}}`
}

/** Without references and unions: what is meant where only one kind can be shown. */
function plain(given: unknown, root: Schema, followed = 0): Schema {
  const schema = fieldsOf(given)
  if (followed > 20) return {}
  const { $ref, anyOf, oneOf, allOf } = schema
  if (typeof $ref === 'string') return plain(lookUp($ref, root), root, followed + 1)
  const union = [anyOf, oneOf].find(Array.isArray)
  if (union && schema.properties === undefined) {
    const kinds = union.map(kind => plain(kind, root, followed + 1))
    return kinds.find(kind => typeOf(kind) !== 'null' && Object.keys(kind).length > 0) ?? {}
  }
  if (!Array.isArray(allOf)) return schema
  const parts = [...allOf.map(part => plain(part, root, followed + 1)), schema]
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(part => fieldsOf(part.properties))),
    required: parts.flatMap(part => strings(part.required)),
  }
}

/** Only what the schema itself holds: nothing is fetched. */
function lookUp(reference: string, root: Schema): unknown {
  if (!reference.startsWith('#')) return {}
  const keys = reference
    .slice(1)
    .split('/')
    .filter(key => key !== '')
  return keys.reduce<unknown>((node, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    return isRecord(node) && Object.hasOwn(node, name)
      ? node[name]
      : Array.isArray(node)
        ? node[Number(name)]
        : {}
  }, root)
}

function typeOf({ type, properties, items, enum: values, const: only }: Schema): string {
  const named = Array.isArray(type) ? type.find(one => one !== 'null') : type
  if (typeof named === 'string' && /^[a-z]{1,12}$/.test(named)) return named
  if (properties !== undefined) return 'object'
  if (items !== undefined) return 'array'
  const [value] = Array.isArray(values) ? values : [only]
  return typeof value === 'number' || typeof value === 'boolean' ? typeof value : 'string'
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
