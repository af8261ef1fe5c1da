/** The server and the model as a session would find them. Nothing is loaded, unless the speed is to be measured. */
import { openServer } from '../assembly/provider.ts'
import { isHere } from '../backends/address.ts'
import type { Backend } from '../backends/backend.ts'
import { formatDuration, parseDuration } from '../config/duration.ts'
import type { LoadedConfig } from '../config/load.ts'
import { RunError } from '../protocol/errors.ts'
import type { Said } from '../protocol/sayings.ts'
import { dialectFor } from '../session/connect.ts'
import { type Found, findModel } from '../session/find-model.ts'
import { type Finding, finding } from './finding.ts'
import { fitting, needed } from './fit.ts'
import { freeMemory } from './memory.ts'
import { measured } from './speed.ts'

export interface ServerOptions {
  loaded: LoadedConfig
  /** Has the model read and write a little. */
  speed: boolean
}

/** Never rejects: what cannot be found out is a finding. */
export async function examineServer({ loaded, speed }: ServerOptions): Promise<Finding[]> {
  try {
    const { backend, config } = await openServer(loaded.config)
    try {
      return await examine(backend, { loaded: { ...loaded, config }, speed })
    } finally {
      backend.close?.()
    }
  } catch (error) {
    return [failed('server', error)]
  }
}

async function examine(backend: Backend, { loaded, speed }: ServerOptions): Promise<Finding[]> {
  const version = await (backend.version?.() ?? backend.models().then(() => undefined))
  const found = [finding('ok', 'server', 'server.answers', { host: backend.host })]
  const warnings = (await backend.warnings?.()) ?? []
  for (const what of warnings) found.push(finding('warn', 'version', 'said', { what }))
  if (version !== undefined && warnings.length === 0)
    found.push(finding('ok', 'version', 'version.known', { version }))
  const { config, explicit } = loaded
  const modelNamed = explicit.has('ollama.model')
  const { max_tokens } = config.context
  const wishes = { max_tokens, patient: true }
  let met: Found
  try {
    met = await findModel({ backend, model: config.ollama.model, modelNamed, before: undefined, ...wishes })
  } catch (error) {
    return [...found, failed('model', error)]
  }
  found.push(...(await aboutModel(backend, met, loaded)), ...abilities(met, config.ollama.tool_calling))
  found.push(...(await aboutContext(backend, met, max_tokens)), keepAlive(config.ollama.keep_alive))
  if (speed) found.push(await measured(backend, met, config).catch(error => failed('speed', error)))
  return found
}

async function aboutModel(
  backend: Backend,
  { model, notices }: Found,
  loaded: LoadedConfig,
): Promise<Finding[]> {
  const listed = (await backend.models().catch(() => [])).find(({ name }) => isNamed(name, model))
  const from = loaded.sources.get('ollama.model')?.at(-1)?.from
  const reason =
    notices.length > 0
      ? 'instead'
      : from === 'flag' || from === 'environment' || from === 'default'
        ? from
        : 'file'
  const why = { code: `model.${reason}`, facts: {} }
  return [
    ...notices.map(what => finding('warn', 'model', 'said', { what: whole(what) })),
    finding('ok', 'model', 'model.there', { model, why, bytes: listed?.size }),
  ]
}

const isNamed = (name: string, model: string): boolean => name === model || name === `${model}:latest`

function abilities(
  { model, facts }: Found,
  forced: LoadedConfig['config']['ollama']['tool_calling'],
): Finding[] {
  const { capabilities } = facts
  const { name } = dialectFor(model, facts, { forced, recorded: undefined })
  const dialect =
    forced !== 'auto'
      ? finding('ok', 'dialect', 'dialect.forced', { name })
      : name === 'native'
        ? finding('ok', 'dialect', 'dialect.native', {})
        : finding('warn', 'dialect', 'dialect.react', {})
  return [
    capabilities.length > 0
      ? finding('ok', 'abilities', 'abilities.list', { list: capabilities })
      : finding('warn', 'abilities', 'abilities.untold', {}),
    dialect,
  ]
}

async function aboutContext(backend: Backend, met: Found, wanted: number): Promise<Finding[]> {
  const { model, context, facts } = met
  const state = await backend.state?.(model).catch(() => undefined)
  const has = state?.context
  const trained = facts.trained_context ?? Number.POSITIVE_INFINITY
  const asked =
    has !== undefined && has !== context
      ? finding('warn', 'context', 'context.other', { has, context })
      : context < wanted && context === trained
        ? finding('ok', 'context', 'context.trained', { context, wanted })
        : finding('ok', 'context', 'context.asked', { context })
  if (state?.size !== undefined && state.gpu !== undefined) return [asked, share(state.size, state.gpu)]
  return [asked, ...(isHere(backend.host) ? await fit(backend, met) : [])]
}

function share(bytes: number, gpu: number): Finding {
  const percent = Math.round((1 - Math.min(gpu, bytes) / bytes) * 100)
  if (percent === 0) return finding('ok', 'memory', 'memory.gpu', { bytes })
  if (percent === 100) return finding('warn', 'memory', 'memory.cpu', { bytes })
  return finding('warn', 'memory', 'memory.partly', { bytes, percent })
}

/** Whether a model on this machine will fit before it is loaded. */
async function fit(backend: Backend, { model, context }: Found): Promise<Finding[]> {
  const [models, each] = await Promise.all([backend.models(), backend.tokenBytes?.(model)]).catch(
    () => [[]] as const,
  )
  const weights = models.find(({ name }) => isNamed(name, model))?.size
  if (weights === undefined || each === undefined) return []
  const free = freeMemory()
  const needs = needed({ weights, each, context })
  const fits = fitting({ weights, each, free })
  if (fits >= context) return [finding('ok', 'memory', 'memory.fits', { context, needs, free })]
  if (fits < 2048) return [finding('warn', 'memory', 'memory.small', { context, needs, free })]
  return [finding('warn', 'memory', 'memory.tight', { context, needs, free, fits })]
}

function keepAlive(time: string | -1): Finding {
  if (time === -1 || time.startsWith('-')) return finding('ok', 'keep_alive', 'keep_alive.ever', {})
  const ms = parseDuration(/^\d+$/.test(time) ? `${time}s` : time)
  const shown = ms === undefined ? time : formatDuration(ms)
  const isShort = ms !== undefined && ms < 300_000
  return finding(isShort ? 'warn' : 'ok', 'keep_alive', isShort ? 'keep_alive.short' : 'keep_alive.for', {
    time: shown,
  })
}

function failed(subject: 'server' | 'model' | 'speed', error: unknown): Finding {
  if (!(error instanceof RunError)) throw error
  return finding('fail', subject, 'said', { what: whole(error.told) })
}

const whole = <Saying extends { code: string; facts?: Said['facts'] }>(saying: Saying): Saying & Said => ({
  ...saying,
  facts: saying.facts ?? {},
})
