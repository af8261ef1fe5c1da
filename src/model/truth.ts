/** What the server made of our wishes: looked at once, after the first reply. Pure. */
import { isSameModel } from './facts.ts'
import type { LoadedModel } from './model.ts'

export interface Wishes {
  model: string
  /** The context length that was asked for, in tokens. */
  num_ctx: number
}

/**
 * One sentence, with its remedy, when the model has less context than was asked for, or does not run on the GPU alone.
 * `loaded` is what `/api/ps` says. undefined: all is as asked for, or the server does not tell.
 */
export function contextTruth({ model, num_ctx }: Wishes, loaded: readonly LoadedModel[]): string | undefined {
  const runner = loaded.find(({ name }) => isSameModel(name, model))
  if (!runner) return undefined
  const { context_length, size, size_vram } = runner
  if (context_length !== undefined && context_length < num_ctx) {
    return (
      `${model} runs with a context of ${told(context_length)} tokens instead of the ${told(num_ctx)} that gopi asked ` +
      `for: set context.max_tokens to ${context_length}, or free memory and restart the model (ollama stop ${model}).`
    )
  }
  if (size_vram === undefined) return undefined
  const share = size > 0 ? Math.round((1 - Math.min(size_vram, size) / size) * 100) : 0
  if (share === 0) return undefined
  if (share === 100) {
    return (
      `${model} runs on the CPU alone, which is slow: a smaller model helps; if there is a GPU, the log of Ollama says ` +
      'why it is not used.'
    )
  }
  return (
    `${share} % of ${model} runs on the CPU: a smaller context (context.max_tokens) or a smaller model would fit the GPU, ` +
    'and so may OLLAMA_FLASH_ATTENTION=1 with OLLAMA_KV_CACHE_TYPE=q8_0 for the server.'
  )
}

const told = (tokens: number): string => tokens.toLocaleString('en')
