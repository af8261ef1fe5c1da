/**
 * What holds for one model and not for others: built in for the families that people run, and in the person's
 * models.yaml. Nothing here loads a library. A sampling option that a model's own Modelfile carries is not repeated
 * here: sent by us it would override the person's copy of that model.
 */
import type { Thinking } from '../protocol/wire.ts'
import type { Config } from './config.ts'

export interface Profile {
  /** Tokens, in place of `context.max_tokens`. */
  context?: number | undefined
  compaction_threshold?: number | undefined
  tool_calling?: Config['ollama']['tool_calling'] | undefined
  think?: Thinking | undefined
  /** Tokens of thought after which the model is to answer; an estimate from the text. */
  think_budget?: number | undefined
  /** Sampling options, as the server calls them. */
  options?: Readonly<Record<string, number>> | undefined
  stop?: string[] | undefined
  /** The tools stand in the system text, not in the request's field for them. */
  tools_in_system?: boolean | undefined
  /** An example of a call stands before the conversation. */
  few_shot?: boolean | undefined
}

/** By name or glob; later ones win. */
export type Profiles = Readonly<Record<string, Profile>>

interface BuiltIn {
  names: readonly string[]
  profile: Profile
  /** What is known of the family, for `gopi models NAME`. */
  why: string
  source: string
}

/** The first that fits holds. */
const BUILT_IN: readonly BuiltIn[] = [
  {
    names: ['qwen2.5-coder*'],
    profile: {},
    why: 'often writes calls as JSON text or in fences instead of its template’s tags; gopi reads those',
    source: 'https://github.com/ollama/ollama/issues/12174',
  },
  {
    names: ['qwen3-coder*'],
    profile: {},
    why: 'writes calls as <function=…> elements, which the server or gopi reads; does not think',
    source: 'https://ollama.com/library/qwen3-coder',
  },
  {
    names: ['qwen3*'],
    profile: {},
    why: 'thinks unless it is told not to; its sampling options come with the model',
    source: 'https://ollama.com/library/qwen3',
  },
  {
    names: ['llama3*'],
    profile: {},
    why: 'calls tools since 3.1; small sizes also write bare JSON, which gopi reads',
    source: 'https://ollama.com/library/llama3.1',
  },
  {
    names: ['devstral*'],
    profile: {},
    why: 'made for agents; its temperature comes with the model',
    source: 'https://ollama.com/library/devstral',
  },
  {
    names: ['mistral*'],
    profile: {},
    why: 'writes calls after [TOOL_CALLS], which the server or gopi reads',
    source: 'https://ollama.com/library/mistral',
  },
  {
    names: ['deepseek-r1*'],
    profile: {},
    why: 'thinks; a thought whose opening tag the template wrote is told from the answer',
    source: 'https://ollama.com/library/deepseek-r1',
  },
  {
    names: ['deepseek-coder*'],
    profile: {},
    why: 'its template knows no tools: calls travel as ReAct text',
    source: 'https://ollama.com/library/deepseek-coder-v2',
  },
  {
    names: ['gemma3*'],
    profile: {},
    why: 'its template knows no tools: calls travel as ReAct text',
    source: 'https://ollama.com/library/gemma3',
  },
  {
    names: ['phi4*'],
    profile: {},
    why: 'phi4-mini writes calls as functools[…], which gopi reads; phi4 knows no tools',
    source: 'https://ollama.com/library/phi4-mini',
  },
  {
    names: ['granite*'],
    profile: {},
    why: 'writes calls after <|tool_call|>, which the server or gopi reads',
    source: 'https://ollama.com/library/granite3.3',
  },
  {
    names: ['gpt-oss*'],
    profile: { think: 'low' },
    why: 'always thinks, in levels: true and false are ignored, and low is the fastest',
    source: 'https://docs.ollama.com/capabilities/thinking',
  },
]

/** Where a value of a profile comes from. */
export interface Origin {
  /** The entry's name or glob. */
  entry: string
  builtIn: boolean
}

export interface Known {
  profile: Profile
  origins: Partial<Record<keyof Profile, Origin>>
  family: Pick<BuiltIn, 'why' | 'source'> | undefined
}

/** What is known of a model: built in, and over that what the person's file says. */
export function profileOf(model: string, own: Profiles = {}): Known {
  const family = BUILT_IN.find(({ names }) => names.some(name => fits(name, model)))
  const profile: Profile = {}
  const origins: Known['origins'] = {}
  const lay = (from: Profile, origin: Origin) => {
    for (const [key, value] of Object.entries(from) as [keyof Profile, never][]) {
      if (value === undefined || value === null) continue
      profile[key] = value
      origins[key] = origin
    }
  }
  if (family) lay(family.profile, { entry: family.names[0] ?? '', builtIn: true })
  for (const [entry, from] of Object.entries(own))
    if (fits(entry, model)) lay(from, { entry, builtIn: false })
  return { profile, origins, family }
}

/** `*` is anything. A name without a tag means every tag of it, and one without a `/` the model of whatever provider. */
function fits(glob: string, model: string): boolean {
  const pattern = glob
    .split('*')
    .map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  const tag = glob.includes(':') || glob.endsWith('*') ? '' : '(?::.*)?'
  return new RegExp(`^${glob.includes('/') ? '' : '(?:.*/)?'}${pattern}${tag}$`, 'i').test(model)
}
