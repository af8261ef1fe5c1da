/** `gopi models NAME`: what holds for a model, and who says so. */
import type { Backend } from '../backends/backend.ts'
import type { LoadedConfig } from '../config/load.ts'
import { type Profile, profileOf } from '../config/profiles.ts'
import type { Path } from '../config/settings.ts'

/** Which setting of the configuration each comes from where no profile has it. */
const SETTINGS: readonly [keyof Profile, Path | undefined, string][] = [
  ['context', 'context.max_tokens', ''],
  ['compaction_threshold', 'context.compaction_threshold', ''],
  ['tool_calling', 'ollama.tool_calling', ''],
  ['think', 'ollama.think', ''],
  ['think_budget', undefined, 'none'],
  ['options', undefined, 'the model’s own'],
  ['stop', undefined, 'the model’s own'],
  ['tools_in_system', undefined, 'false'],
  ['few_shot', undefined, 'false'],
]

/** Rejects with `RunError`: `no_model` when the server does not have it. */
export async function showModel(name: string, loaded: LoadedConfig, backend: Backend): Promise<string> {
  const { capabilities, trained_context } = await backend.facts(name)
  const { profile, origins, family } = profileOf(name, loaded.profiles)
  const settings = loaded.config as unknown as Record<string, Record<string, unknown>>
  const rows = SETTINGS.map(([key, path, otherwise]) => {
    const origin = origins[key]
    if (origin && !(path && loaded.explicit.has(path))) {
      const by = origin.builtIn ? 'built in' : 'models.yaml'
      return [key, show(profile[key]), `${by}: ${origin.entry}`]
    }
    if (path === undefined) return [key, otherwise, 'default']
    const [section = '', field = ''] = path.split('.')
    const sources = loaded.sources.get(path) ?? []
    return [key, show(settings[section]?.[field]), sources.map(({ from, name }) => name ?? from).join(', ')]
  })
  const can = capabilities.length > 0 ? capabilities.join(', ') : 'not told by the server'
  const facts = [
    ['can', can, backend.host],
    ['trained context', trained_context === undefined ? 'not told' : String(trained_context), backend.host],
  ]
  const lines = [...facts, ...rows].map(
    ([key = '', value = '', why = '']) => `  ${key.padEnd(22)}${value.padEnd(24)} ${why}`,
  )
  const about = family ? [`  ${family.why} (${family.source})`] : []
  return `${[name, ...lines, ...about].join('\n')}\n`
}

const show = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
