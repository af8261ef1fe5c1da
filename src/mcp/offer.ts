/** What a server offers, as it is remembered from one session to the next: read with distrust, cleaned, bounded. */
import { createHash } from 'node:crypto'
import { fieldsOf, isRecord } from '../text/record.ts'
import { sanitize, withoutHidden } from '../text/sanitize.ts'
import type { ServerEntry } from './entry.ts'

export interface OfferedTool {
  /** As the server calls it. */
  name: string
  description: string
  /** JSON Schema of an object, as the server wrote it. */
  schema: Record<string, unknown>
  /** The server says that it changes nothing: shown, not believed. */
  readOnly?: true
  /** The server says that it reaches nothing outside: believed of a program, which runs as the person does anyway. */
  closed?: true
  /** It is new, or another than it was, and nobody has said yes to it since. */
  changed?: true
}

export interface OfferedPrompt {
  name: string
  description: string
  /** Names, in their order; those that may be left out end in `?`. */
  arguments: string[]
}

export interface Offer {
  tools: OfferedTool[]
  prompts: OfferedPrompt[]
  /** It has resources to be named. */
  resources: boolean
}

/** What is left out and why, by the name as shown. */
export interface LeftOut {
  name: string
  why: 'large' | 'same' | 'many' | 'nameless'
}

/** So many tools and prompts of one server are taken, schemas of so many characters, descriptions of so many. */
const MOST_TOOLS = 500
const MOST_PROMPTS = 100
const LONGEST_SCHEMA = 50_000
const LONGEST_DESCRIPTION = 500
const LONGEST_NAME = 48

/** What a server said it offers, or what was remembered of that, cleaned. Never throws. */
export function readOffer(
  raw: unknown,
  { only }: { only?: readonly string[] | undefined } = {},
): { offer: Offer; left: LeftOut[] } {
  const { tools, prompts, resources } = fieldsOf(raw)
  const left: LeftOut[] = []
  const wanted = listed(tools).filter(
    tool => only === undefined || only.includes(String(fieldsOf(tool).name)),
  )
  const kept: OfferedTool[] = []
  const names = new Set<string>()
  for (const tool of wanted) {
    const {
      name,
      description,
      inputSchema,
      schema = inputSchema,
      annotations,
      readOnly,
      closed,
      changed,
    } = fieldsOf(tool)
    const shown = typeof name === 'string' ? shownName(name) : ''
    const why =
      shown === '' || typeof name !== 'string'
        ? 'nameless'
        : names.has(shown.toLowerCase())
          ? 'same'
          : kept.length >= MOST_TOOLS
            ? 'many'
            : JSON.stringify(schema ?? {}).length > LONGEST_SCHEMA
              ? 'large'
              : undefined
    if (why) left.push({ name: shown, why })
    if (why || typeof name !== 'string') continue
    names.add(shown.toLowerCase())
    const { readOnlyHint, openWorldHint } = fieldsOf(annotations)
    kept.push({
      name,
      description: described(description),
      schema: isRecord(schema) ? schema : {},
      ...((readOnly === true || readOnlyHint === true) && { readOnly: true as const }),
      ...((closed === true || openWorldHint === false) && { closed: true as const }),
      ...(changed === true && { changed: true as const }),
    })
  }
  return {
    offer: {
      tools: kept,
      prompts: listed(prompts).slice(0, MOST_PROMPTS).flatMap(readPrompt),
      resources: resources === true,
    },
    left,
  }
}

/** An offer with what has changed since an earlier one marked; what was marked there and is the same still is. */
export const markedSince = (offer: Offer, before: Offer): Offer => ({
  ...offer,
  tools: offer.tools.map(tool => {
    const known = before.tools.find(({ name }) => name === tool.name)
    const isSame = known !== undefined && definition(known) === definition(tool)
    return isSame ? known : { ...tool, changed: true }
  }),
})

const definition = ({ changed: _, ...tool }: OfferedTool): string => JSON.stringify(tool)

function readPrompt(prompt: unknown): OfferedPrompt[] {
  const { name, description, arguments: named } = fieldsOf(prompt)
  if (typeof name !== 'string' || shownName(name) === '') return []
  const labels = listed(named).flatMap(one => {
    if (typeof one === 'string') return [one]
    const { name: label, required } = fieldsOf(one)
    return typeof label === 'string' ? [required === true ? label : `${label}?`] : []
  })
  return [{ name, description: described(description), arguments: labels }]
}

export interface NamedResource {
  uri: string
  /** What it is, in the server's words. */
  label: string
}

const MOST_RESOURCES = 1_000
const LONGEST_URI = 500

/** What a server said it has to be named. What could not be written after `@` is left out. Never throws. */
export const readResources = (raw: unknown): NamedResource[] =>
  listed(raw)
    .slice(0, MOST_RESOURCES)
    .flatMap(resource => {
      const { uri, name, title = name, description = title } = fieldsOf(resource)
      const isSayable = typeof uri === 'string' && uri.length <= LONGEST_URI && !/["\p{Cc}\p{Cf}]/u.test(uri)
      return isSayable && uri !== '' ? [{ uri, label: described(description) }] : []
    })

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** A name as models and rules can write it. */
export const shownName = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, LONGEST_NAME)

/** One paragraph without what a terminal or a model would stumble over. */
export function described(text: unknown): string {
  if (typeof text !== 'string') return ''
  const clean = withoutHidden(sanitize(text.slice(0, 4 * LONGEST_DESCRIPTION)))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return clean.length > LONGEST_DESCRIPTION ? `${clean.slice(0, LONGEST_DESCRIPTION - 1)}…` : clean
}

/** Under what a server's offer is remembered: another configuration may offer something else. */
export const offerKey = (name: string, entry: ServerEntry): string =>
  createHash('sha256')
    .update(JSON.stringify([name, Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1))]))
    .digest('hex')
    .slice(0, 32)
