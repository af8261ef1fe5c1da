/** `gopi models NAME`: what holds for a model, and who says so. */
import type { Backend } from '../backends/backend.ts'
import type { LoadedConfig } from '../config/load.ts'
import { type Profile, profileOf } from '../config/profiles.ts'
import type { Path } from '../config/settings.ts'
import type { Reports } from '../words/reports-en.ts'
import { inColumns } from './columns.ts'

/** Which setting of the configuration each comes from where no profile has it. */
const SETTINGS: readonly [keyof Profile, Path | undefined, 'unset' | 'modelsOwn' | undefined][] = [
  ['context', 'context.max_tokens', undefined],
  ['compaction_threshold', 'context.compaction_threshold', undefined],
  ['tool_calling', 'ollama.tool_calling', undefined],
  ['think', 'ollama.think', undefined],
  ['think_budget', undefined, 'unset'],
  ['options', undefined, 'modelsOwn'],
  ['stop', undefined, 'modelsOwn'],
  ['tools_in_system', undefined, undefined],
  ['few_shot', undefined, undefined],
]

/** Rejects with `RunError`: `no_model` when the server does not have it. */
export async function showModel(
  name: string,
  { loaded, backend, words }: { loaded: LoadedConfig; backend: Backend; words: Reports },
): Promise<string> {
  const { models } = words
  const { from: froms } = words.config
  const { capabilities, trained_context } = await backend.facts(name)
  const { profile, origins, family } = profileOf(name, loaded.profiles)
  const settings = loaded.config as unknown as Record<string, Record<string, unknown>>
  const rows = SETTINGS.map(([key, path, otherwise]) => {
    const origin = origins[key]
    if (origin && !(path && loaded.explicit.has(path))) {
      const by = origin.builtIn ? models.builtIn : 'models.yaml'
      return [key, show(profile[key]), `${by}: ${origin.entry}`]
    }
    if (path === undefined) return [key, otherwise ? models[otherwise] : 'false', froms.default]
    const [section = '', field = ''] = path.split('.')
    const sources = loaded.sources.get(path) ?? []
    return [
      key,
      show(settings[section]?.[field]),
      sources.map(({ from, name }) => name ?? froms[from]).join(', '),
    ]
  })
  const can = capabilities.length > 0 ? capabilities.join(', ') : models.untold
  const facts = [
    [models.can, can, backend.host],
    [models.trained, trained_context === undefined ? models.untold : String(trained_context), backend.host],
  ]
  const lines = [...facts, ...rows].map(
    ([key = '', value = '', why = '']) => `  ${inColumns(key, 22)}${inColumns(value, 24)} ${why}`,
  )
  const about = family ? [`  ${models.family(family.why)} (${family.source})`] : []
  return `${[name, ...lines, ...about].join('\n')}\n`
}

const show = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
