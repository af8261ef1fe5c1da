/** What a server tells of its models, each kind in its own way. Read with distrust. */
import { fieldsOf } from '../../text/record.ts'

export interface ServedModel {
  name: string
  /** Tokens that a conversation may have. */
  context: number | undefined
  /** The server is llama.cpp's: what it was started with stands elsewhere. */
  isLlama: boolean
}

/** GET /models. undefined: whatever answered, it is no such list. */
export function readModels(answer: unknown): ServedModel[] | undefined {
  const { data, models } = fieldsOf(answer)
  const list = data ?? models
  if (!Array.isArray(list)) return undefined
  return (list as unknown[]).map(fieldsOf).flatMap(model => {
    const name = model.id ?? model.name
    if (typeof name !== 'string') return []
    return [{ name, context: contextOf(model), isLlama: model.owned_by === 'llamacpp' }]
  })
}

/** vLLM and SGLang, LM Studio, Groq, routers, llama.cpp: each has a name for it. */
function contextOf(model: Record<string, unknown>): number | undefined {
  return [
    model.max_model_len,
    model.loaded_context_length,
    model.context_length,
    model.max_context_length,
    model.context_window,
    fieldsOf(model.meta).n_ctx,
  ].find(isLength)
}

/** GET /props of llama.cpp's server: tokens that each of its slots has. */
export function readSlotContext(answer: unknown): number | undefined {
  const { n_ctx, default_generation_settings } = fieldsOf(answer)
  return [fieldsOf(default_generation_settings).n_ctx, n_ctx].find(isLength)
}

const isLength = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0
