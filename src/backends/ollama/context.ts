/** Which context length a session asks Ollama for. Pure: all numbers are tokens. */

/** What `max_tokens: 0` means for a model that is not loaded: more is rarely worth its memory. */
const UNBOUNDED_DEFAULT = 32_768

interface Lengths {
  /** `context.max_tokens`; 0: what the model and the server offer. */
  max_tokens: number
  /** What the model was trained for; undefined when the server does not tell. */
  trained: number | undefined
  loaded: number | undefined
}

/**
 * The `num_ctx` of a session, chosen once: another value than the loaded runner's makes Ollama reload the model,
 * so that one is taken wherever it is large enough.
 */
export function chooseContext({ max_tokens, trained = Infinity, loaded = 0 }: Lengths): number {
  if (max_tokens === 0) return loaded > 0 ? loaded : Math.min(trained, UNBOUNDED_DEFAULT)
  return Math.max(loaded, Math.min(max_tokens, trained))
}
