/**
 * A GGUF whose weights spell a script. To any runtime it is a small model of the qwen2 kind: attention and
 * feed-forward add nothing, so at the last position stands the last token's own embedding, and the output head maps
 * each token of the script to the next one. At temperature 0 the script is walked. Layers and widths are free: they
 * set what reading and writing cost.
 */
import { ggufFile, Half, halves, type Tensor, type Value } from './container.ts'
import { readVocabulary } from './vocabulary.ts'

export interface Script {
  /**
   * Each: the name of a state, then what is said. The state is a control token, `<|s:NAME|>`, that a template puts
   * last; each piece is one token and stands in one place of all chains.
   */
  chains: Readonly<Record<string, readonly string[]>>
  layers: number
  /** A multiple of 64, the width of a head. */
  width: number
  feedForward: number
  /** Trained context, in tokens. */
  context: number
  /** A chat template, in Jinja. Default: whoever serves the model is told one. */
  template?: string
}

const HEAD = 64
const NORMAL = 1
const CONTROL = 3
const OWN = 4

/** The file's bytes in order. Throws when a piece stands in two places. */
export function scriptedGguf(script: Script): Buffer[] {
  const { tokens, types, successors, merges, end, pad } = spell(script.chains)
  const { layers, width, feedForward, context, template } = script
  const heads = width / HEAD
  const keyHeads = Math.max(1, Math.floor(heads / 4))
  const values: Record<string, Value> = {
    'general.architecture': { text: 'qwen2' },
    'general.name': { text: 'a script of gopi’s tests' },
    'general.file_type': { u32: 1 },
    'qwen2.context_length': { u32: context },
    'qwen2.embedding_length': { u32: width },
    'qwen2.block_count': { u32: layers },
    'qwen2.feed_forward_length': { u32: feedForward },
    'qwen2.attention.head_count': { u32: heads },
    'qwen2.attention.head_count_kv': { u32: keyHeads },
    'qwen2.attention.layer_norm_rms_epsilon': { f32: 1e-6 },
    'qwen2.rope.freq_base': { f32: 1e6 },
    'tokenizer.ggml.model': { text: 'gpt2' },
    'tokenizer.ggml.pre': { text: 'qwen2' },
    'tokenizer.ggml.tokens': { texts: tokens },
    'tokenizer.ggml.token_type': { ints: types },
    'tokenizer.ggml.merges': { texts: merges },
    'tokenizer.ggml.eos_token_id': { u32: end },
    'tokenizer.ggml.padding_token_id': { u32: pad },
    'tokenizer.ggml.bos_token_id': { u32: pad },
    'tokenizer.ggml.add_bos_token': { bool: false },
    ...(template !== undefined && { 'tokenizer.chat_template': { text: template } }),
  }
  const ends = embeddings({ count: tokens.length, width, successors, end })
  const blocks = Array.from({ length: layers }, (_, index) =>
    block(index, { width, feedForward, keys: keyHeads * HEAD }),
  )
  return ggufFile(values, [...ends, ...blocks.flat()])
}

function spell(chains: Script['chains']) {
  const { tokens, merges } = readVocabulary()
  const types = tokens.map(() => NORMAL)
  const add = (text: string, type: number): number => {
    types.push(type)
    return tokens.push(text) - 1
  }
  const pad = add('<|endoftext|>', CONTROL)
  add('<|im_start|>', CONTROL)
  const end = add('<|im_end|>', CONTROL)
  // What the vocabulary has already must not be there twice: the model would not load.
  const known = new Map(tokens.map((token, id) => [token, id]))
  const successors = new Map<number, number>()
  for (const [state, pieces] of Object.entries(chains)) {
    let at = add(`<|s:${state}|>`, CONTROL)
    for (const piece of pieces) {
      const id = known.get(piece) ?? add(piece, OWN)
      known.set(piece, id)
      if (successors.has(id)) throw new Error(`the piece ${JSON.stringify(piece)} stands in two places`)
      successors.set(at, id)
      at = id
    }
    successors.set(at, end)
  }
  while (tokens.length % 64 !== 0) add(`<|pad${tokens.length}|>`, CONTROL)
  return { tokens, types, successors, merges, end, pad }
}

interface Ends {
  count: number
  width: number
  successors: ReadonlyMap<number, number>
  end: number
}

/** Random embeddings are nearly at right angles, so that the head of a successor answers to its predecessor alone. */
function embeddings({ count, width, successors, end }: Ends): Tensor[] {
  const embedding = new Float32Array(count * width)
  const head = new Float32Array(count * width)
  const random = numbers()
  for (let index = 0; index < embedding.length; index++) embedding[index] = random()
  // A direction that all tokens share: what is not in the script ends the reply.
  for (let token = 0; token < count; token++) embedding[token * width] = 4
  head[end * width] = 0.5
  for (const [from, to] of successors) {
    for (let index = 1; index < width; index++) {
      head[to * width + index] = (head[to * width + index] ?? 0) + (embedding[from * width + index] ?? 0)
    }
  }
  const dimensions = [width, count]
  return [
    { name: 'token_embd.weight', dimensions, data: halves(embedding) },
    { name: 'output_norm.weight', dimensions: [width], data: new Float32Array(width).fill(1) },
    { name: 'output.weight', dimensions, data: halves(head) },
  ]
}

/** One layer that adds nothing and is computed all the same. */
function block(
  index: number,
  { width, feedForward, keys }: { width: number; feedForward: number; keys: number },
): Tensor[] {
  const named = (name: string) => `blk.${index}.${name}`
  const ones = (name: string): Tensor => ({
    name: named(name),
    dimensions: [width],
    data: new Float32Array(width).fill(1),
  })
  const bias = (name: string, to: number): Tensor => ({
    name: named(name),
    dimensions: [to],
    data: new Float32Array(to),
  })
  const zeros = (name: string, from: number, to: number): Tensor => ({
    name: named(name),
    dimensions: [from, to],
    data: new Half(from * to),
  })
  return [
    ones('attn_norm.weight'),
    ones('ffn_norm.weight'),
    zeros('attn_q.weight', width, width),
    bias('attn_q.bias', width),
    zeros('attn_k.weight', width, keys),
    bias('attn_k.bias', keys),
    zeros('attn_v.weight', width, keys),
    bias('attn_v.bias', keys),
    zeros('attn_output.weight', width, width),
    zeros('ffn_gate.weight', width, feedForward),
    zeros('ffn_up.weight', width, feedForward),
    zeros('ffn_down.weight', feedForward, width),
  ]
}

/** The same numbers in every run, from -1 to 1. */
function numbers(): () => number {
  let seed = 12_345
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return (seed / 2 ** 32) * 2 - 1
  }
}
