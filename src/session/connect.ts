/** Finds out what a model can do and makes the setup that the session's requests keep from then on. */
import type { Setup } from '../agent/run.ts'
import type { Backend, ModelFacts, Think } from '../backends/backend.ts'
import { systemPrompt, tellsTools } from '../context/system.ts'
import { createDialect } from '../dialect/create.ts'
import { fewShot } from '../dialect/few-shot.ts'
import type { DialectName } from '../protocol/messages.ts'
import type { WireTool } from '../protocol/wire.ts'
import { told } from '../words/sayings/told.ts'
import type { Connection, Notice, OtherModel } from './connection.ts'
import { contextLimit, findModel } from './find-model.ts'

export interface ModelProfile {
  context?: number | undefined
  tool_calling?: ConnectOptions['tool_calling'] | undefined
  think?: ConnectOptions['think'] | undefined
  think_budget?: number | undefined
  options?: Setup['options'] | undefined
  stop?: string[] | undefined
  tools_in_system?: boolean | undefined
  few_shot?: boolean | undefined
}

export interface ConnectOptions {
  backend: Backend
  cwd: string
  model: string
  /** Somebody named the model: it is never replaced by another. */
  modelNamed: boolean
  /** `auto`: by what the server says of the model. Anything else holds, whatever it says. */
  tool_calling: 'auto' | DialectName
  think: 'off' | 'on' | Exclude<Think, boolean>
  keep_alive: Setup['keep_alive']
  /** Tokens; 0: what the model and the server offer. */
  max_tokens: number
  /** What holds for a model in place of the above; none of it is anything else. */
  profile?(model: string): ModelProfile
  /** When a command is ended, as the model is told it. */
  bashTimeout: string
  tools: readonly WireTool[]
  instructions: readonly string[]
  /** Told at the end, for this start. */
  appended?: string
  /** What a resumed session was last sent; a model named for this start comes before it. */
  resumed?: OtherModel['resumed']
  /** Nobody has pressed Enter yet: a look-up of a few milliseconds costs nobody anything. */
  patient: boolean
  /** What the person should hear as soon as there is a conversation. */
  notices?: readonly Notice[]
}

export function connectionTo(given: ConnectOptions): Connection {
  const { backend, keep_alive, profile = (): ModelProfile => ({}) } = given
  return {
    async connect(other) {
      const options = other ? { ...given, ...other, modelNamed: true, notices: [] } : given
      const { resumed } = options
      const [found, aboutServer] = await Promise.all([
        findModel({ ...options, before: resumed?.sent?.model, tokensFor: name => profile(name).context }),
        other ? [] : (backend.warnings?.() ?? []),
      ])
      const { model, facts } = found
      const own = profile(model)
      const forced = own.tool_calling ?? options.tool_calling
      const max_tokens = own.context ?? options.max_tokens
      const recorded = resumed?.sent?.model === model ? resumed.sent : undefined
      const context = recorded?.num_ctx ?? found.context
      const dialect = dialectFor(model, facts, { forced, recorded: recorded?.dialect })
      const think = thinkFor(model, facts, own.think ?? options.think)
      return {
        setup: {
          model,
          ...prompt(options, dialect.name, own),
          ...(own.few_shot && { examples: fewShot(options.tools) }),
          think: think.value,
          context,
          limit: contextLimit({ max_tokens, trained: facts.trained_context, context }),
          keep_alive,
          ...(own.options && { options: own.options }),
          ...(own.stop && { stop: own.stop }),
          ...(own.think_budget !== undefined && { thinkBudget: own.think_budget }),
        },
        notices: [
          ...(options.notices ?? []),
          ...found.notices,
          ...changeNotices(model, resumed),
          ...aboutServer,
          ...dialect.notices,
          ...think.notices,
        ],
      }
    },

    fallBack(setup, { remedy }) {
      const { model } = setup
      const own = profile(model)
      const forced = own.tool_calling ?? given.tool_calling
      if (remedy === 'no_thinking' && setup.think !== false) {
        return { setup: { ...setup, think: false }, notice: told('no_thinking', { model }) }
      }
      if (remedy === 'no_tools' && setup.dialect.name === 'native' && forced === 'auto') {
        const notice = told('no_tools.from_text', { model })
        return { setup: { ...setup, ...prompt(given, 'react', own) }, notice }
      }
      return undefined
    },
  }
}

/** Another model has read nothing of the conversation: said with what that costs. */
function changeNotices(model: string, resumed: ConnectOptions['resumed']): Notice[] {
  const before = resumed?.sent?.model
  if (before === undefined || before === model) return []
  const last = resumed?.history.findLast(message => message.role === 'assistant' && message.usage)
  const tokens = last?.role === 'assistant' ? (last.usage?.context_tokens ?? 0) : 0
  return tokens === 0 ? [] : [told('model.changed', { before, model, tokens })]
}

/** The dialect and what the model is told in it; a resumed session with the same tools sends the same bytes as before. */
function prompt(
  { cwd, tools, instructions, appended, resumed, bashTimeout: timeout }: ConnectOptions,
  name: DialectName,
  { tools_in_system: toolsInSystem = false }: ModelProfile,
): Pick<Setup, 'dialect' | 'system' | 'wireTools'> {
  const dialect = createDialect(name, { toolsInSystem })
  const before = resumed?.sent?.dialect === name ? resumed.prompt : undefined
  const isTold = appended === undefined || before?.system.endsWith(appended)
  const isSameWay = name !== 'native' || tellsTools(before?.system ?? '') === toolsInSystem
  if (before && isTold && isSameWay && namesOf(before.tools) === namesOf(tools)) {
    return { dialect, system: before.system, wireTools: before.tools }
  }
  const own = systemPrompt({ cwd, os: osName(), timeout, dialect: name, tools, toolsInSystem, instructions })
  const system = appended === undefined ? own : `${own}\n\n${appended}`
  return { dialect, system, wireTools: [...tools] }
}

const namesOf = (tools: readonly WireTool[]): string => JSON.stringify(tools.map(tool => tool.function.name))

/** By what the server says of the model, where nobody has decided it. */
export function dialectFor(
  model: string,
  { capabilities }: ModelFacts,
  { forced, recorded }: { forced: ConnectOptions['tool_calling']; recorded: DialectName | undefined },
): { name: DialectName; notices: Notice[] } {
  const decided = forced === 'auto' ? recorded : forced
  if (decided !== undefined) return { name: decided, notices: [] }
  if (capabilities.length === 0 || capabilities.includes('tools')) return { name: 'native', notices: [] }
  return { name: 'react', notices: [told('no_tools.from_text', { model })] }
}

function thinkFor(
  model: string,
  { capabilities }: ModelFacts,
  wanted: ConnectOptions['think'],
): { value: Think; notices: Notice[] } {
  if (wanted === 'off') return { value: false, notices: [] }
  if (capabilities.length > 0 && !capabilities.includes('thinking')) {
    return { value: false, notices: [told('no_thinking', { model })] }
  }
  return { value: wanted === 'on' ? true : wanted, notices: [] }
}

const osName = (): string =>
  ({ darwin: 'macOS', win32: 'Windows', linux: 'Linux' })[process.platform as string] ?? process.platform
