/** The checker of models.yaml. Import it lazily: it loads yaml and zod. */
import * as z from 'zod/mini'
import { THINK } from '../protocol/wire.ts'
import { nearest } from '../text/nearest.ts'
import { TOOL_CALLING } from './config.ts'
import type { Profiles } from './profiles.ts'
import type { Problem } from './schema.ts'
import { readYaml } from './yaml.ts'

/** Sampling alone: what would make the server load the model anew is not among them. */
const OPTIONS = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'typical_p',
  'repeat_penalty',
  'repeat_last_n',
  'presence_penalty',
  'frequency_penalty',
  'seed',
]

const number = (error: string) => z.number({ error })
const whole = (error: string) => z.optional(z.int({ error }).check(z.gte(1, { error })))
const yes = z.optional(z.boolean({ error: 'true or false' }))

const shape = {
  context: whole('a whole number of tokens from 1'),
  compaction_threshold: z.optional(
    z
      .number({ error: 'a number from 0.3 to 0.9' })
      .check(
        z.gte(0.3, { error: 'a number from 0.3 to 0.9' }),
        z.lte(0.9, { error: 'a number from 0.3 to 0.9' }),
      ),
  ),
  tool_calling: z.optional(z.enum(TOOL_CALLING, { error: `one of ${TOOL_CALLING.join(', ')}` })),
  think: z.optional(z.enum(THINK, { error: `one of ${THINK.join(', ')}` })),
  think_budget: whole('a whole number of tokens from 1'),
  options: z.optional(
    z.strictObject(Object.fromEntries(OPTIONS.map(key => [key, z.optional(number('a number'))])), {
      error: 'a mapping (temperature: 0.2)',
    }),
  ),
  stop: z.optional(
    z.array(z.string({ error: 'a text' }).check(z.minLength(1, { error: 'a text' })), { error: 'a list' }),
  ),
  tools_in_system: yes,
  few_shot: yes,
}

const schema = z.record(z.string(), z.nullable(z.strictObject(shape, { error: 'a mapping (key: value)' })), {
  error: 'a mapping (name of a model: settings)',
})

/** What can be used, and what is wrong with the rest: whole sentences with their lines. */
export function checkProfiles(text: string, file: string): { values: Profiles; problems: string[] } {
  const { values, problems } = readYaml<Record<string, Profiles[string] | null>>(text, file, check)
  const all = Object.entries(values ?? {}).map(([name, profile]) => [name, profile ?? {}])
  return { values: Object.fromEntries(all) as Profiles, problems }
}

function check(tree: unknown) {
  const { success, data, error } = schema.safeParse(tree ?? {})
  if (success) return { values: data as Record<string, Profiles[string] | null> }
  return { problems: error.issues.flatMap(toProblems) }
}

function toProblems(issue: z.core.$ZodIssue): Problem[] {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return [{ path, text: `expected ${issue.message}` }]
  const known = path.length > 1 ? OPTIONS : Object.keys(shape)
  return issue.keys.map(key => ({ path: [...path, key], text: unknown(key, known) }))
}

function unknown(key: string, known: readonly string[]): string {
  const near = nearest(key, known)
  return near === undefined
    ? `unknown key; known here: ${known.join(', ')}`
    : `unknown key; did you mean ${near}?`
}
