import { openProvider, openServer } from '../assembly/provider.ts'
import { isHere } from '../backends/address.ts'
import { type Backend, type ListedModel, orUnknown } from '../backends/backend.ts'
import type { Config } from '../config/config.ts'
import type { LoadedConfig } from '../config/load.ts'
import { type Chosen, providersOf } from '../config/provider.ts'
import { fitting } from '../doctor/fit.ts'
import { freeMemory } from '../doctor/memory.ts'
import { dialectFor } from '../session/connect.ts'
import { contextLimit } from '../session/find-model.ts'
import { escapeJson, sanitize } from '../text/sanitize.ts'
import { diskSize, inThousands } from '../text/truncate.ts'
import { displayWidth } from '../text/width.ts'
import { explain } from '../words/explain.ts'
import { loadWords } from '../words/language.ts'
import type { Reports } from '../words/reports-en.ts'
import type { ConfigCommand, ModelsCommand } from './args.ts'
import { inColumns } from './columns.ts'
import { configAsJson, configAt, showConfig } from './config-command.ts'
import { configFor } from './config-for.ts'
import { languageFor, reportsIn } from './reports.ts'

type Words = Reports['models']

export async function configCommand(command: ConfigCommand): Promise<number> {
  const loaded = await configFor(command)
  if (command.key !== undefined) {
    const shown = configAt(loaded, command.key, command.json)
    if (shown === undefined) (await import('../config/set-key.ts')).checkKey(command.key)
    else process.stdout.write(command.json ? escapeJson(shown) : sanitize(shown))
    return 0
  }
  const words = await reportsIn(languageFor(loaded))
  process.stdout.write(
    command.json ? escapeJson(configAsJson(loaded)) : sanitize(showConfig(loaded, words.config)),
  )
  return 0
}

export async function modelsCommand({ name: wanted, ...command }: ModelsCommand): Promise<number> {
  const loaded = await configFor(command)
  const { backend, config } = await openServer(loaded.config)
  const words = await reportsIn(languageFor(loaded))
  if (wanted !== undefined) {
    const { showModel } = await import('./model-command.ts')
    process.stdout.write(sanitize(await showModel(wanted, { loaded, backend, words })))
    return 0
  }
  const models = await backend.models({ loaded: true })
  if (models.length === 0) process.stderr.write(sanitize(`${words.models.none(config.ollama.model)}\n`))
  const own = Promise.all(models.map(model => modelRow(model, { backend, config, words: words.models })))
  const elsewhere = providersOf(loaded.config).map(one =>
    rowsElsewhere(one, { loaded, config, words: words.models }),
  )
  const rows = (await Promise.all([own, ...elsewhere])).flat()
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, displayWidth(cell))),
    [],
  )
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 1 ? cell.padStart(widths[column] ?? 0) : inColumns(cell, widths[column] ?? 0),
    )
    process.stdout.write(`${sanitize(cells.join('  ')).trimEnd()}\n`)
  }
  return 0
}

/** How long (ms) another server than the chosen one is waited for. */
const PATIENCE = 3000

/** Of a server that does not answer, standard error says so. */
async function rowsElsewhere(
  one: Pick<Chosen, 'name' | 'provider'>,
  { loaded, config, words }: { loaded: LoadedConfig; config: Config; words: Words },
): Promise<string[][]> {
  let backend: Backend | undefined
  try {
    const opened = await openProvider(config, one)
    backend = opened
    const models = await opened.models({ loaded: true, signal: AbortSignal.timeout(PATIENCE) })
    return await Promise.all(models.map(model => modelRow(model, { backend: opened, config, words })))
  } catch (error) {
    const why = explain(await loadWords(languageFor(loaded)), error)
    process.stderr.write(sanitize(`${one.name}: ${why}\n`))
    return []
  } finally {
    backend?.close?.()
  }
}

/** Its name, what it weighs, its context, what it can do, how gopi would call tools, and whether it fits into memory. */
async function modelRow(
  { name, size: bytes, parameters = '', isLoaded }: ListedModel,
  { backend, config, words }: { backend: Backend; config: Config; words: Words },
): Promise<string[]> {
  const {
    ollama,
    context: { max_tokens },
  } = config
  const [facts, each] = await Promise.all([
    backend.facts(name).catch(orUnknown),
    backend.tokenBytes?.(name).catch(() => undefined),
  ])
  const { capabilities, trained_context: trained } = facts
  const context = contextLimit({ max_tokens, trained })
  const { name: dialect } = dialectFor(name, facts, { forced: ollama.tool_calling, recorded: undefined })
  const mark = name === ollama.model || name === `${ollama.model}:latest` ? '*' : ' '
  return [
    `${mark} ${name}`,
    bytes === undefined ? '' : diskSize(bytes),
    parameters,
    trained === undefined ? '' : words.context(inThousands(trained)),
    capabilities.filter(ability => ability !== 'completion').join(', '),
    capabilities.length > 0 && !capabilities.includes('completion') ? '' : dialect,
    isLoaded ? words.loaded : isHere(backend.host) ? fitOf({ weights: bytes, each, context }, words) : '',
  ]
}

function fitOf(
  { weights, each, context }: { weights: number | undefined; each: number | undefined; context: number },
  words: Words,
): string {
  if (weights === undefined || each === undefined) return ''
  const fits = fitting({ weights, each, free: freeMemory() })
  if (fits >= context) return words.fits
  return fits < 2048 ? words.tooBig : words.fitsWith(inThousands(fits))
}
