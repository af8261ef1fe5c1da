/** The models a server pretends to have: names by Ollama's rules, and what tags, show and ps say about them. */
import { createHash } from 'node:crypto'
import { goTime } from './go.ts'

export interface DemoModelInfo {
  /** `qwen3:8b`, as tags and ps list it. */
  short: string
  /** `registry.ollama.ai/library/qwen3:8b`, as some errors name it. */
  full: string
  /** Of `completion`, `tools`, `thinking`, `vision`, `embedding` … */
  capabilities: string[]
  family: string
  /** Trained context length in tokens. */
  context: number
  /** Bytes. */
  size: number
  /** Extra lines of `/api/show` `parameters`. */
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

/** Every name is a model that can do this much, and `gopi-demo` is listed. */
export function everyModel(capabilities = ['completion', 'tools']): ModelList {
  const installed = Date.now()
  const find: ModelList['find'] = name => {
    const names = parseName(name)
    return names && { ...names, ...known, capabilities, installed }
  }
  return { find, list: () => [find('gopi-demo') ?? []].flat() }
}

const known = {
  family: 'gopi-demo',
  context: 32768,
  size: 1_000_000_000,
  parameters: 'stop                           "<|im_end|>"',
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
    modelfile: `# ${WHAT_IT_IS}`,
    parameters: model.parameters,
    template: `{{- /* ${WHAT_IT_IS} */ -}}\n{{ .System }}${model.capabilities.includes('tools') ? '{{ .Tools }}' : ''}{{ .Prompt }}`,
    details: details(model),
    model_info: {
      'general.architecture': model.family,
      'general.description': WHAT_IT_IS,
      'general.parameter_count': 0,
      [`${model.family}.context_length`]: model.context,
    },
    tensors: [],
    capabilities: model.capabilities,
    modified_at: goTime(model.installed),
  }
}
