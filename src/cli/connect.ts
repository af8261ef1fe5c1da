/** Finds out what a model can do and makes the setup that the session's requests keep from then on. */
import type { Setup } from '../agent/run.ts'
import type { Config } from '../config/config.ts'
import { formatDuration } from '../config/duration.ts'
import { systemPrompt } from '../context/system.ts'
import { createDialect } from '../dialect/create.ts'
import { chooseContext, contextLimit } from '../model/context.ts'
import { isSameModel, versionProblem } from '../model/facts.ts'
import { createKnownModels, type KnownModel, type KnownModels, verify } from '../model/known-models.ts'
import type { ChatModel, LoadedModel, ModelFacts, Think } from '../model/model.ts'
import { RunError } from '../protocol/errors.ts'
import type { Memory } from '../protocol/memory.ts'
import type { DialectName } from '../protocol/messages.ts'
import type { WireTool } from '../protocol/wire.ts'
import type { Connection, Notice } from '../session/connection.ts'
import type { Replayed } from '../session/replay.ts'

/** Milliseconds by which look-ups that nobody waits for let the first request go ahead. */
const beside = 20

export interface ConnectOptions {
  chat: ChatModel
  config: Config
  cwd: string
  tools: readonly WireTool[]
  instructions: readonly string[]
  /** Somebody named the model: it is never replaced by another. */
  modelNamed: boolean
  /** What a resumed session was last sent; a model named for this start comes before it. */
  resumed?: Pick<Replayed, 'sent' | 'prompt'>
  /** What is remembered of models: one that was seen before need not be looked up first. */
  models: Memory
  /** Wait for what the server says of loaded models even so: nobody has pressed Enter yet. */
  patient: boolean
  /** What the person should hear as soon as there is a conversation. */
  notices?: readonly Notice[]
}

export function connectionTo(options: ConnectOptions): Connection {
  const { config } = options
  const forced = config.ollama.tool_calling
  return {
    async connect() {
      const notices: Notice[] = [...(options.notices ?? [])]
      const [{ model, facts, num_ctx }, aboutServer] = await Promise.all([
        findModel(options, notices),
        versionNotices(options),
      ])
      notices.push(...aboutServer)
      const recorded = options.resumed?.sent?.model === model ? options.resumed.sent : undefined
      const ctx = recorded?.num_ctx ?? num_ctx
      const dialect = forced === 'auto' ? (recorded?.dialect ?? dialectFor(model, facts, notices)) : forced
      return {
        setup: {
          model,
          ...told(options, dialect),
          think: thinkFor(model, facts, { config, notices }),
          num_ctx: ctx,
          limit: contextLimit({ ...config.context, trained: facts.trained_context, num_ctx: ctx }),
          keep_alive: config.ollama.keep_alive,
        },
        notices,
      }
    },

    fallBack(setup, { remedy }) {
      if (remedy === 'no_thinking' && setup.think !== false) {
        return { setup: { ...setup, think: false }, notice: noThinking(setup.model) }
      }
      if (remedy === 'no_tools' && setup.dialect.name === 'native' && forced === 'auto') {
        return { setup: { ...setup, ...told(options, 'react') }, notice: noTools(setup.model) }
      }
      return undefined
    },
  }
}

/** The dialect and what the model is told in it; a resumed session with the same tools sends the same bytes as before. */
function told(
  { config, cwd, tools, instructions, resumed }: ConnectOptions,
  name: DialectName,
): Pick<Setup, 'dialect' | 'system' | 'wireTools'> {
  const dialect = createDialect(name)
  const before = resumed?.sent?.dialect === name ? resumed.prompt : undefined
  if (before && namesOf(before.tools) === namesOf(tools)) {
    return { dialect, system: before.system, wireTools: before.tools }
  }
  const timeout = formatDuration(config.tools.bash_timeout)
  const system = systemPrompt({ cwd, os: osName(), timeout, dialect: name, tools, instructions })
  return { dialect, system, wireTools: [...tools] }
}

const namesOf = (tools: readonly WireTool[]): string => JSON.stringify(tools.map(tool => tool.function.name))

interface Found {
  model: string
  facts: ModelFacts
  num_ctx: number
}

/** The resumed session's model if it is still there, else the configured one, else — if nobody named one — another. */
async function findModel(options: ConnectOptions, notices: Notice[]): Promise<Found> {
  const { config, modelNamed, resumed } = options
  const before = modelNamed ? undefined : resumed?.sent?.model
  const found = before === undefined ? undefined : await lookUp(before, options).catch(unlessMissing)
  if (before !== undefined && !found) {
    notices.push({
      code: 'model',
      message: `${before}, the model of this session so far, is not installed any more; going on with another.`,
    })
  }
  const known =
    found ??
    (await lookUp(config.ollama.model, options).catch(async error => {
      const other = modelNamed || !isMissing(error) ? undefined : await substitute(options)
      if (other === undefined) throw error
      notices.push({ code: 'model', message: `${config.ollama.model} is not installed; using ${other}.` })
      return lookUp(other, options)
    }))
  return known
}

/** A model seen before is not waited for: what is remembered is checked beside the first request. */
async function lookUp(model: string, options: ConnectOptions): Promise<Found> {
  const { chat, models, patient } = options
  const known = createKnownModels({ memory: models, host: chat.host })
  const remembered = known.lookUp(model)
  if (remembered) {
    setTimeout(() => void check(model, remembered, { chat, known }), beside).unref()
    const loaded = patient ? await chat.loaded().catch(() => []) : []
    return found(model, remembered.facts, { loaded, options })
  }
  const [facts, loaded] = await Promise.all([
    chat.facts(model).catch(unlessKnown),
    chat.loaded().catch(() => []),
  ])
  void chat.installed().then(
    installed => known.remember(model, installed.find(({ name }) => isSameModel(name, model))?.digest, facts),
    () => {},
  )
  return found(model, facts, { loaded, options })
}

function found(
  model: string,
  facts: ModelFacts,
  { loaded, options }: { loaded: readonly LoadedModel[]; options: ConnectOptions },
): Found {
  const runner = loaded.find(({ name }) => isSameModel(name, model))
  const num_ctx = chooseContext({
    max_tokens: options.config.context.max_tokens,
    trained: facts.trained_context,
    loaded: runner?.context_length,
  })
  return { model, facts, num_ctx }
}

/** Asks beside the first request whether what is remembered still holds; what changed is learned for the next start. */
async function check(
  model: string,
  { digest, fresh }: KnownModel,
  { chat, known }: { chat: ChatModel; known: KnownModels },
): Promise<void> {
  try {
    const [installed, loaded] = await Promise.all([chat.installed(), chat.loaded()])
    const now = verify(model, digest, { installed, loaded })
    if (now.verdict === 'changed') known.remember(model, now.digest, await chat.facts(model))
    else if (now.verdict === 'same' && !fresh) known.remember(model, digest, await chat.facts(model))
  } catch {
    // The request itself meets the same trouble, and tells it.
  }
}

/**
 * A server that is too old cuts prompts without a word: that is worth one of ours. Like a model, a server that was seen
 * before is not waited for.
 */
async function versionNotices({ chat, models }: ConnectOptions): Promise<Notice[]> {
  const key = `${chat.host} version`
  const ask = async (): Promise<string | undefined> => {
    const version = await chat.version().catch(() => undefined)
    if (version !== undefined) models.keep(key, { version })
    return version
  }
  const { version: remembered } = (models.recall(key) ?? {}) as { version?: unknown }
  if (typeof remembered === 'string') setTimeout(() => void ask(), beside).unref()
  const problem = versionProblem(typeof remembered === 'string' ? remembered : ((await ask()) ?? ''))
  return problem === undefined ? [] : [{ code: 'server_version', message: problem }]
}

/** Models that gopi is tuned for come first; those that only embed cannot talk. */
const preferred = [/^qwen2\.5-coder/, /^qwen3-coder/, /^qwen3/, /coder/]

async function substitute({ chat }: ConnectOptions): Promise<string | undefined> {
  const names = (await chat.installed().catch(() => []))
    .map(({ name }) => name)
    .filter(name => !/embed|bge-|minilm/i.test(name))
  for (const pattern of preferred) {
    const found = names.find(name => pattern.test(name))
    if (found) return found
  }
  return names[0]
}

const isMissing = (error: unknown): boolean => error instanceof RunError && error.code === 'no_model'

/** A server that cannot tell about its models may still talk with them: its refusals are met when they come. */
function unlessKnown(error: unknown): ModelFacts {
  if (isMissing(error) || (error instanceof RunError && error.code === 'no_server')) throw error
  return { capabilities: [], trained_context: undefined, digest: undefined }
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
  return undefined
}

function dialectFor(model: string, { capabilities }: ModelFacts, notices: Notice[]): DialectName {
  if (capabilities.length === 0 || capabilities.includes('tools')) return 'native'
  notices.push(noTools(model))
  return 'react'
}

function thinkFor(
  model: string,
  { capabilities }: ModelFacts,
  { config, notices }: { config: Config; notices: Notice[] },
): Think {
  const wanted = config.ollama.think
  if (wanted === 'off') return false
  if (capabilities.length > 0 && !capabilities.includes('thinking')) {
    notices.push(noThinking(model))
    return false
  }
  return wanted === 'on' ? true : wanted
}

const noTools = (model: string): Notice => ({
  code: 'no_tools',
  message: `${model} has no tool calling of its own; gopi reads its calls from text (react).`,
})

const noThinking = (model: string): Notice => ({
  code: 'no_thinking',
  message: `${model} cannot think aloud; going on without.`,
})

const osName = (): string =>
  ({ darwin: 'macOS', win32: 'Windows', linux: 'Linux' })[process.platform as string] ?? process.platform
