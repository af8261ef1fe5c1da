/** The models a server pretends to have: names by Ollama's rules, and what tags, show and ps say about them. */
import { createHash } from 'node:crypto'
import { goTime } from './go.ts'

export interface ModelSpec {
  /** As in `ollama pull`; without a tag `:latest` is meant. */
  name: string
  /** Of `completion`, `tools`, `thinking`, `vision`, `embedding` …; default `completion` and `tools`. */
  capabilities?: string[]
  /** Default `gopi-demo`. */
  family?: string
  /** Trained context length in tokens; default 32768. */
  context?: number
  /** Bytes; default 1 GB. */
  size?: number
  /** Extra lines of `/api/show` `parameters`. */
  parameters?: string
}

export interface DemoModelInfo {
  /** `qwen3:8b`, as tags and ps list it. */
  short: string
  /** `registry.ollama.ai/library/qwen3:8b`, as some errors name it. */
  full: string
  capabilities: string[]
  family: string
  context: number
  size: number
  parameters: string
  /** Milliseconds since 1970. */
  installed: number
}

/** The installed models. */
export interface ModelList {
  /** Undefined: no such model. */
  find(name: string): DemoModelInfo | undefined
  list(): DemoModelInfo[]
}

/** Without `specs` every name is a model, and `gopi-demo` is listed. Throws for a name that is none. */
export function listModels(
  specs: readonly (string | ModelSpec)[] | undefined,
  capabilities = ['completion', 'tools'],
): ModelList {
  const installed = Date.now()
  const describe = (spec: ModelSpec) => describeModel(spec, { capabilities, installed })
  const models = (specs ?? ['gopi-demo']).map(spec =>
    describe(typeof spec === 'string' ? { name: spec } : spec),
  )
  return {
    find(name) {
      const wanted = parseName(name)
      if (!wanted) return undefined
      const found = models.find(model => model.full.toLowerCase() === wanted.full.toLowerCase())
      return found ?? (specs ? undefined : describe({ name }))
    },
    list: () => models,
  }
}

/** Undefined when the name is none by Ollama's rules. */
export function parseName(name: string): { short: string; full: string } | undefined {
  const parts = /^(?:(?:([\w.:-]+)\/)?([\w-]+)\/)?([\w][\w.-]*)(?::([\w][\w.-]*))?$/.exec(name)
  if (!parts) return undefined
  const [, host = 'registry.ollama.ai', namespace = 'library', model, tag = 'latest'] = parts
  const short = [
    ...(host === 'registry.ollama.ai' ? [] : [host]),
    ...(namespace === 'library' && host === 'registry.ollama.ai' ? [] : [namespace]),
    `${model}:${tag}`,
  ].join('/')
  return { short, full: `${host}/${namespace}/${model}:${tag}` }
}

function describeModel(
  spec: ModelSpec,
  defaults: { capabilities: string[]; installed: number },
): DemoModelInfo {
  const name = parseName(spec.name)
  if (!name) throw new Error(`a model name such as "qwen3:8b" was expected, not ${JSON.stringify(spec.name)}`)
  return {
    ...name,
    capabilities: spec.capabilities ?? defaults.capabilities,
    family: spec.family ?? 'gopi-demo',
    context: spec.context ?? 32768,
    size: spec.size ?? 1_000_000_000,
    parameters: spec.parameters ?? 'stop                           "<|im_end|>"',
    installed: defaults.installed,
  }
}

export function details(model: DemoModelInfo): object {
  return {
    parent_model: '',
    format: 'gguf',
    family: model.family,
    families: [model.family],
    parameter_size: '0B',
    quantization_level: 'F16',
  }
}

export function digest(model: DemoModelInfo): string {
  return createHash('sha256').update(model.full).digest('hex')
}

/** An entry of `/api/tags`. */
export function tagsEntry(model: DemoModelInfo): object {
  return {
    name: model.short,
    model: model.short,
    modified_at: goTime(model.installed),
    size: model.size,
    digest: digest(model),
    details: details(model),
  }
}

const WHAT_IT_IS = "This is gopi's built-in demo: a script behind Ollama's protocol, and no language model."

/** The answer of `/api/show`. */
export function showAnswer(model: DemoModelInfo): object {
  return {
    parameters: model.parameters,
    template: `{{- /* ${WHAT_IT_IS} */ -}}\n{{ .System }}${model.capabilities.includes('tools') ? '{{ .Tools }}' : ''}{{ .Prompt }}`,
    details: details(model),
    model_info: {
      'general.architecture': model.family,
      'general.description': WHAT_IT_IS,
      'general.parameter_count': 0,
      [`${model.family}.context_length`]: model.context,
    },
    capabilities: model.capabilities,
    modified_at: goTime(model.installed),
  }
}
