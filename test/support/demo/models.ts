/** The models that a test's server has installed. */
import { type DemoModelInfo, everyModel, type ModelList } from '../../../src/demo/models.ts'

export interface ModelSpec extends Partial<Omit<DemoModelInfo, 'short' | 'full' | 'installed'>> {
  /** As in `ollama pull`; without a tag `:latest` is meant. */
  name: string
}

/** These, and no others. Throws for a name that is none. */
export function listModels(specs: readonly (string | ModelSpec)[], capabilities?: string[]): ModelList {
  const every = everyModel(capabilities)
  const models = specs.map(spec => {
    const { name, ...own } = typeof spec === 'string' ? { name: spec } : spec
    const model = every.find(name)
    if (!model) throw new Error(`a model name such as "qwen3:8b" was expected, not ${JSON.stringify(name)}`)
    return { ...model, ...own }
  })
  return {
    find(name) {
      const full = every.find(name)?.full.toLowerCase()
      return models.find(model => model.full.toLowerCase() === full)
    },
    list: () => models,
  }
}
