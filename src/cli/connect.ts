/** Finds out what a model can do and makes the setup that the session's requests keep from then on. */
import type { Setup } from '../agent/run.ts'
import type { Config } from '../config/config.ts'
import { formatDuration } from '../config/duration.ts'
import { systemPrompt } from '../context/system.ts'
import { createDialect } from '../dialect/create.ts'
import { chooseContext, contextLimit } from '../model/context.ts'
import { isSameModel, versionProblem } from '../model/facts.ts'
import type { ChatModel, ModelFacts, Think } from '../model/model.ts'
import { RunError } from '../protocol/errors.ts'
import type { DialectName } from '../protocol/messages.ts'
import type { WireTool } from '../protocol/wire.ts'
import type { Connection, Notice } from '../session/connection.ts'
import type { Replayed } from '../session/replay.ts'

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
  /** What the person should hear as soon as there is a conversation. */
  notices?: readonly Notice[]
}

export function connectionTo(options: ConnectOptions): Connection {
  const { config } = options
  const forced = config.ollama.tool_calling
  return {
    async connect() {
      const notices: Notice[] = [...(options.notices ?? [])]
      const { model, facts, num_ctx } = await findModel(options, notices)
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

/** The dialect and what the model is told in it; a resumed session sends the same bytes as before. */
function told(
  { config, cwd, tools, instructions, resumed }: ConnectOptions,
  name: DialectName,
): Pick<Setup, 'dialect' | 'system' | 'wireTools'> {
  const dialect = createDialect(name)
  if (resumed?.prompt && resumed.sent?.dialect === name) {
    return { dialect, system: resumed.prompt.system, wireTools: resumed.prompt.tools }
  }
  const timeout = formatDuration(config.tools.bash_timeout)
  const system = systemPrompt({ cwd, os: osName(), timeout, dialect: name, tools, instructions })
  return { dialect, system, wireTools: [...tools] }
}

interface Found {
  model: string
  facts: ModelFacts
  num_ctx: number
}

/** The resumed session's model if it is still there, else the configured one, else — if nobody named one — another. */
async function findModel(options: ConnectOptions, notices: Notice[]): Promise<Found> {
  const { chat, config, modelNamed, resumed } = options
  const before = modelNamed ? undefined : resumed?.sent?.model
  const version = chat.version().then(versionProblem, () => undefined)
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
  const problem = await version
  if (problem) notices.push({ code: 'server_version', message: problem })
  return known
}

async function lookUp(model: string, { chat, config }: ConnectOptions): Promise<Found> {
  const [facts, loaded] = await Promise.all([chat.facts(model), chat.loaded().catch(() => [])])
  const runner = loaded.find(({ name }) => isSameModel(name, model))
  const num_ctx = chooseContext({
    max_tokens: config.context.max_tokens,
    trained: facts.trained_context,
    loaded: runner?.context_length,
  })
  return { model, facts, num_ctx }
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
