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

/** The first that fits holds. Each says no more than its source does, which was read for it. */
const BUILT_IN: readonly BuiltIn[] = [
  {
    names: ['qwen2.5-coder*'],
    profile: {},
    // Seen from 0.11.7 to 0.20.7: the template asks for tags, the model leaves them out.
    why: 'often writes calls as bare JSON text instead of its template’s tags; gopi reads those',
    source: 'https://github.com/ollama/ollama/issues/12174',
  },
  {
    names: ['qwen3-coder*'],
    profile: {},
    // The server's parser: the form of a call, and HasThinkingSupport, which is false.
    why: 'writes calls as <function=…> elements, which the server or gopi reads; does not think',
    source: 'https://github.com/ollama/ollama/blob/main/model/parsers/qwen3coder.go',
  },
  {
    names: ['qwen3*'],
    profile: {},
    // “Thinking is enabled by default in the CLI and API for supported models”, of which it is one.
    why: 'thinks unless it is told not to',
    source: 'https://docs.ollama.com/capabilities/thinking',
  },
  {
    names: ['llama3*'],
    profile: {},
    // The server's own tests of tools: 3.1 and 3.2 are among them, 3.2 is left out of those with many.
    why: 'calls tools since 3.1; 3.2 is too small to choose among many, and gopi reads calls written as bare JSON',
    source: 'https://github.com/ollama/ollama/blob/main/integration/tools_stress_test.go',
  },
  {
    names: ['devstral*'],
    profile: {},
    // Its card: made for tools and editing several files; since 1.1 “supports Mistral's function calling format”.
    why: 'made for agents; writes calls as Mistral’s other models do',
    source: 'https://huggingface.co/mistralai/Devstral-Small-2507',
  },
  {
    names: ['mistral*'],
    profile: {},
    // The template of v0.3. The server's tests say that 7B answers in text where the system text is long.
    why: 'writes calls after [TOOL_CALLS], which the server or gopi reads',
    source: 'https://github.com/ollama/ollama/blob/main/docs/template.mdx',
  },
  {
    names: ['deepseek-r1*'],
    profile: {},
    // The template writes the opening tag since February 2025: what comes has the closing one alone.
    why: 'thinks; a thought whose opening tag the template wrote is told from the answer',
    source: 'https://huggingface.co/deepseek-ai/DeepSeek-R1-Distill-Qwen-7B/commit/6602cad',
  },
  {
    names: ['deepseek-coder*'],
    profile: {},
    // A maintainer: there is no tools tag on the model's page, so it does not support them.
    why: 'its template knows no tools: calls travel as ReAct text',
    source: 'https://github.com/ollama/ollama/issues/12592',
  },
  {
    names: ['gemma3*'],
    profile: {},
    why: 'its template knows no tools: calls travel as ReAct text',
    source: 'https://github.com/ollama/ollama/blob/main/template/gemma3-instruct.gotmpl',
  },
  {
    names: ['phi4-mini*'],
    profile: {},
    // The text that its template tells it.
    why: 'writes calls as functools[…], which the server or gopi reads',
    source: 'https://github.com/vllm-project/vllm/issues/14682',
  },
  {
    names: ['phi4*'],
    profile: {},
    // A maintainer: “Phi4 was not trained in tool use”.
    why: 'was not trained to use tools, its template knows none: calls travel as ReAct text',
    source: 'https://github.com/ollama/ollama/issues/9647',
  },
  {
    names: ['granite4*'],
    profile: {},
    why: 'writes calls in <tool_call> tags, which the server or gopi reads',
    source: 'https://ollama.com/library/granite4:micro/blobs/9fa3d9413163',
  },
  {
    names: ['granite*'],
    profile: {},
    // The token of 3.0, the text of 3.1.
    why: 'writes calls after <|tool_call|> or <tool_call>, which the server or gopi reads',
    source: 'https://github.com/vllm-project/vllm/blob/v0.19.1/vllm/tool_parsers/granite_tool_parser.py',
  },
  {
    names: ['gpt-oss*'],
    // “The trace cannot be fully disabled”, and “passing true/false is ignored for that model”.
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
