/**
 * The checker: an unknown tree in the shape of config.yaml becomes flat values, or every problem at once.
 * Each type's error text says what is expected there; what came is read from the tree. Import it lazily: it loads zod.
 */
import * as z from 'zod/mini'
import { readNamed } from '../net/hosts.ts'
import { THINK } from '../protocol/wire.ts'
import { ruleProblem } from '../rules/rule.ts'
import { nearest } from '../text/nearest.ts'
import {
  type Config,
  isModelName,
  LANGUAGES,
  MODES,
  PREWARM,
  SANDBOX,
  THEMES,
  TOOL_CALLING,
} from './config.ts'
import { LONGEST_TIMER, parseDuration } from './duration.ts'
import { allPaths, flatten, type Values } from './settings.ts'

export interface Problem {
  path: readonly string[]
  /** Reads on after `ollama.timeout: `. */
  text: string
}

/** One type for each key, so that schema and `Config` cannot differ. */
type Types<T> = { [K in keyof T]: z.ZodMiniType<T[K] | null | undefined> }

/** Go durations, which Ollama reads `keep_alive` as, count nanoseconds in 64 bits: so many milliseconds fit. */
const LONGEST_KEEP_ALIVE = 9_223_372_036_854
const A_PATH = 'a mapping (path: FILE)'

/** A section or list whose lines are all commented out is `null` to YAML: nothing is set (hence `nullish` below). */
const section = <S extends keyof Config>(types: Types<Config[S]>) =>
  z.nullish(z.strictObject(types, { error: 'a mapping (key: value)' }))

const text = (error: string, holds: (text: string) => boolean) =>
  z.optional(z.string({ error }).check(z.refine(holds, { error })))

const oneOf = <const T extends readonly string[]>(names: T) =>
  z.optional(z.enum(names, { error: `one of ${names.join(', ')}` }))

const flag = () => z.optional(z.boolean({ error: 'true or false' }))

const whole = (error: string, least: number) => z.optional(z.int({ error }).check(z.gte(least, { error })))

const share = (error: string, least: number, most: number) =>
  z.optional(z.number({ error }).check(z.gte(least, { error }), z.lte(most, { error })))

const duration = (example: string) => {
  const fits = (text: string) => {
    const milliseconds = parseDuration(text) ?? 0
    return milliseconds > 0 && milliseconds <= LONGEST_TIMER
  }
  const error = `a duration such as ${example} (a whole number and ms, s, m or h; at most 596h)`
  return z.optional(
    z.pipe(
      z.string({ error }).check(z.refine(fits, { error })),
      z.transform(text => parseDuration(text)!),
    ),
  )
}

const keepAlive = () => {
  const error = 'a duration such as 30m (a whole number and ms, s, m or h; 0s: not at all), or -1 for ever'
  const forEver = (value: string | number) => value === -1 || value === '-1'
  const fits = (value: string | number) =>
    forEver(value) || (parseDuration(String(value)) ?? Infinity) <= LONGEST_KEEP_ALIVE
  return z.optional(
    z.pipe(
      z.union([z.string(), z.number()], { error }).check(z.refine(fits, { error })),
      z.transform(value => (forEver(value) ? -1 : String(value))),
    ),
  )
}

const list = (error: string, holds: (text: string) => boolean) =>
  z.nullish(z.array(z.string({ error }).check(z.refine(holds, { error })), { error: 'a list' }))

const A_RULE = 'a rule such as Read, "Bash(git log *)" or "Edit(src/**)", best in quotes'

/** `tools`: names of tools besides the built-in ones. */
const rules = (tools: readonly string[]) => {
  const error = ({ input }: { input: unknown }) => `${A_RULE} (${ruleProblem(String(input), tools)})`
  const holds = (rule: string) => ruleProblem(rule, tools) === undefined
  return z.nullish(
    z.array(z.string({ error: A_RULE }).check(z.refine(holds, { error })), {
      error: 'a list',
    }),
  )
}

const AN_ADDRESS = 'an address such as http://localhost:11434'
const address = () =>
  z.string({ error: AN_ADDRESS }).check(z.refine(text => text.trim() !== '', { error: AN_ADDRESS }))

const PROVIDER_NAME = 'a name of letters, digits, dots, - and _, and not ollama, whose address is ollama.host'

const A_URL = 'an address such as https://lab.example/v1'
const A_PRICE = 'a mapping (input: PRICE, output: PRICE, cached: PRICE) of a million tokens'
const HEADER = /^[\w!#$%&'*+.^`|~-]+$/

const filled = (error: string) =>
  z.string({ error }).check(z.refine(text => text.trim() !== '' && !/[\r\n]/.test(text), { error }))
const price = (error: string) => z.number({ error }).check(z.gte(0, { error }))
const mapping = <Value extends z.ZodMiniType>(value: Value, error: string) =>
  z.optional(z.record(z.string(), value, { error }))

const ollamaServer = () =>
  z.strictObject(
    { type: z.literal('ollama'), host: address() },
    { error: 'a mapping (type: ollama, host: ADDRESS)' },
  )

const openAiServer = () =>
  z.strictObject(
    {
      type: z.literal('openai'),
      base_url: filled(A_URL),
      api_key: z.optional(
        filled('a key, best the name of an environment variable, written as $NAME in braces'),
      ),
      headers: z.optional(
        z.record(z.string().check(z.regex(HEADER)), filled('the value of a header'), {
          error: 'a mapping (header: value)',
        }),
      ),
      conversation_header: text('the name of a header such as X-Session-ID', name => HEADER.test(name)),
      models: mapping(
        z.strictObject(
          {
            context: whole('a whole number of tokens from 1', 1),
            price: z.optional(
              z.strictObject(
                { input: price(A_PRICE), output: price(A_PRICE), cached: z.optional(price(A_PRICE)) },
                { error: A_PRICE },
              ),
            ),
          },
          { error: 'a mapping (context: TOKENS, price: …)' },
        ),
        'a mapping (model: { context: TOKENS, price: … })',
      ),
      timeout: duration('120s'),
      proxy: z.optional(filled('the address of an HTTP proxy such as http://proxy:3128')),
      ca: z.optional(filled('a file of certificates')),
    },
    { error: 'a mapping (type: openai, base_url: ADDRESS)' },
  )

const A_POOL = 'a list of at least two providers'
const pool = () =>
  z.strictObject(
    {
      type: z.literal('pool'),
      of: z.array(filled(A_POOL), { error: A_POOL }).check(z.minLength(2, { error: A_POOL })),
    },
    { error: 'a mapping (type: pool, of: PROVIDERS)' },
  )

const KINDS_OF_SERVERS = 'ollama, openai or pool'

const providers = () =>
  z.nullish(
    z.record(
      z.string().check(z.regex(/^(?!ollama$)[\w.-]+$/)),
      z.discriminatedUnion('type', [ollamaServer(), openAiServer(), pool()], {
        error: ({ input }) =>
          typeof input === 'object' && input !== null && !Array.isArray(input)
            ? KINDS_OF_SERVERS
            : 'a mapping (type: ollama, host: ADDRESS)',
      }),
      { error: 'a mapping (name: server)' },
    ),
  )

const HOSTS =
  'a list of hosts such as example.com, *.example.com, example.com:8443 or [::1]:3000, or ["*"] for the whole network'
const SANDBOX_KEYS = ['mode', 'network', 'ask', 'memory', 'processes']
const A_SANDBOX = `one of ${SANDBOX.join(', ')}, or a mapping (${SANDBOX_KEYS.join(', ')})`

const sandbox = () =>
  z.nullish(
    z.union(
      [
        z.enum(SANDBOX),
        z.strictObject({
          mode: oneOf(SANDBOX),
          network: z.optional(
            z.array(
              z
                .string({ error: HOSTS })
                .check(z.refine(host => host === '*' || readNamed(host) !== undefined, { error: HOSTS })),
              { error: HOSTS },
            ),
          ),
          ask: flag(),
          memory: whole('a whole number of megabytes from 64', 64),
          processes: whole('a whole number from 16', 16),
        }),
      ],
      { error: A_SANDBOX },
    ),
  )

const A_THEME = `one of ${THEMES.join(', ')}, or the name of a file in the folder themes`

const VERIFY = 'auto, or a mapping ("**/*.ts": [npx tsc --noEmit], or run and timeout)'
const COMMANDS = 'a list of commands'

const verify = () => {
  const commands = z.array(z.string({ error: COMMANDS }).check(z.minLength(1, { error: COMMANDS })), {
    error: COMMANDS,
  })
  const check = z.union([commands, z.strictObject({ run: commands, timeout: duration('60s') })], {
    error: `${COMMANDS}, or a mapping (run, timeout)`,
  })
  return z.nullish(z.union([z.literal('auto'), z.record(z.string(), check)], { error: VERIFY }))
}

const schemaFor = (toolNames: readonly string[]) =>
  z.strictObject(
    {
      ollama: section<'ollama'>({
        host: z.optional(address()),
        model: text('the name of a model such as qwen3:8b', isModelName),
        timeout: duration('120s'),
        tool_calling: oneOf(TOOL_CALLING),
        keep_alive: keepAlive(),
        think: oneOf(THINK),
        prewarm: oneOf(PREWARM),
      }),
      providers: providers(),
      context: section<'context'>({
        max_tokens: whole('a whole number of tokens, or 0 for what model and server offer', 0),
        compaction_threshold: share('a number from 0.3 to 0.9', 0.3, 0.9),
        keep_recent: whole('a whole number from 2', 2),
      }),
      tools: section<'tools'>({
        bash_timeout: duration('30s'),
        bash_max_output: whole('a whole number of bytes from 1', 1),
        read_max_lines: whole('a whole number from 1', 1),
        grep_max_matches: whole('a whole number from 1', 1),
        todo: flag(),
        git: flag(),
        fetch: flag(),
        mcp_tokens: whole('a whole number of tokens', 0),
        background: flag(),
      }),
      agents: section<'agents'>({ task: flag() }),
      permission: section<'permission'>({
        mode: oneOf(MODES),
        allow: rules(toolNames),
        ask: rules(toolNames),
        deny: rules(toolNames),
        env: list('the name of a variable, or a glob such as AWS_*', name => /^[\w*?[\]!-]+$/.test(name)),
      }),
      sandbox: sandbox(),
      tui: section<'tui'>({
        theme: text(A_THEME, name => /^[\w-]+$/.test(name)),
        show_token_count: flag(),
        quiet_startup: flag(),
        key_hints: flag(),
        side_column: flag(),
        language: oneOf(LANGUAGES),
        mouse: flag(),
        notify: flag(),
        keys: z.nullish(
          z.record(z.string(), z.string({ error: 'a key such as ctrl+s' }), {
            error: 'a mapping (action: key)',
          }),
        ),
      }),
      max_turns: whole('a whole number from 1, or 0 for as many as it takes', 0),
      instructions: list('a file', name => name.trim() !== ''),
      verify: verify(),
      extensions: z.nullish(
        z.array(z.strictObject({ path: z.string({ error: A_PATH }) }, { error: A_PATH }), {
          error: 'a list',
        }),
      ),
      // One that is wrong is left out when it is to be used, and the rest works.
      hooks: z.nullish(z.record(z.string(), z.unknown(), { error: 'a mapping (event: list)' })),
      // One that is wrong is left out when it is to be used, and the rest works.
      mcp: z.nullish(z.record(z.string(), z.unknown(), { error: 'a mapping (name: server)' })),
    },
    { error: 'a mapping (key: value)' },
  )

const schema = schemaFor([])

/**
 * A tree of unknown origin as flat values, or everything that is wrong with it. `undefined` and `null`: nothing is set.
 * `tools`: names of tools besides the built-in ones, which rules may speak of.
 */
export function checkConfig(
  tree: unknown,
  tools: readonly string[] = [],
): { values: Values } | { problems: Problem[] } {
  const { success, data, error } = (tools.length === 0 ? schema : schemaFor(tools)).safeParse(tree ?? {})
  if (success) return { values: flatten(data) }
  return { problems: distinct(error.issues.flatMap(issue => toProblems(issue, tree))) }
}

/** The rest of a problem's sentence after its file: `: permission.deny[0]: expected …`. */
export function said({ path, text }: Problem): string {
  const address = path
    .map((key, depth) => (/^\d+$/.test(key) ? `[${key}]` : depth === 0 ? key : `.${key}`))
    .join('')
  return address === '' ? `: ${text}` : `: ${address}: ${text}`
}

function toProblems(issue: z.core.$ZodIssue, tree: unknown): Problem[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({ path: [...path, key], text: unknownKey(path, key) }))
  }
  if (issue.code === 'invalid_key' && path.length > 2)
    return [
      { path, text: `expected the name of a header such as X-Session-ID; came ${describe(path.at(-1))}` },
    ]
  if (issue.code === 'invalid_key')
    return [{ path, text: `expected ${PROVIDER_NAME}; came ${describe(path.at(-1))}` }]
  // Of several shapes the one that was meant: what is wrong lies within it.
  const meant =
    issue.code === 'invalid_union'
      ? issue.errors.find(inner => inner.every(({ path }) => path.length > 0))
      : undefined
  if (meant) {
    return meant.flatMap(inner => toProblems({ ...inner, path: [...issue.path, ...inner.path] }, tree))
  }
  const came = at(path, tree)
  return [{ path, text: `expected ${issue.message}; came ${describe(came)}` }]
}

const at = (path: readonly string[], tree: unknown): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], tree)

function unknownKey(parent: readonly string[], key: string): string {
  const paths = allPaths().map(path => path.split('.'))
  const siblings = new Set(
    paths
      .filter(path => path.length > parent.length && parent.every((name, i) => path[i] === name))
      .map(path => path[parent.length]!),
  )
  if (parent[0] === 'sandbox') for (const name of SANDBOX_KEYS) siblings.add(name)
  // As `gopi config` and every sentence about a key write it.
  const [section = '', ...within] = key.split('.')
  if (within.length > 0 && siblings.has(section))
    return `unknown key; did you mean ${section}: { ${within.join(': { ')}: … }${' }'.repeat(within.length - 1)}?`
  if (parent[0] === 'providers') for (const name of ['type', 'host']) siblings.add(name)
  const near = nearest(key, siblings)
  if (near !== undefined) return `unknown key; did you mean ${near}?`
  const elsewhere =
    parent[0] === 'providers'
      ? undefined
      : nearest(
          key,
          paths.map(path => path.at(-1)!),
        )
  const path = paths.find(path => path.at(-1) === elsewhere)
  if (path !== undefined) return `unknown key; did you mean ${path.join('.')}?`
  return `unknown key; known here: ${[...siblings].join(', ')}`
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object') return 'a mapping'
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown
}

/** A type and its range say the same sentence; once is enough. */
function distinct(problems: readonly Problem[]): Problem[] {
  return [
    ...new Map(problems.map(problem => [JSON.stringify([problem.path, problem.text]), problem])).values(),
  ]
}
