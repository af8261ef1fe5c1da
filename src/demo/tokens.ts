/**
 * Tokens of the demo's prompts. `cl100k` is a real encoding, the one that Qwen's models began with, of which the client knows
 * nothing, so that its estimates are wrong as they are in life; `chars` cuts every four characters and needs no tables, for tests
 * that do not care.
 */
export type Counting = 'cl100k' | 'chars'

export interface Tokenizer {
  /** The same text gives the same tokens. The result is shared: do not change it. */
  encode(text: string): readonly number[]
}

const SPECIAL = new Map([
  ['<|im_start|>', -1],
  ['<|im_end|>', -2],
])

/** Loads what the counting needs: nothing for `chars`, the ranks (some 100 MB once unpacked) for `cl100k`. */
export async function loadTokenizer(counting: Counting): Promise<Tokenizer> {
  const encode = counting === 'chars' ? byCharacters() : await byRanks()
  return remembering(text => {
    const special = SPECIAL.get(text)
    return special === undefined ? encode(text) : [special]
  })
}

function byCharacters(): (text: string) => number[] {
  const ids = new Map<string, number>()
  return text =>
    chunks(text, 4).map(chunk => {
      let id = ids.get(chunk)
      if (id === undefined) ids.set(chunk, (id = ids.size))
      return id
    })
}

async function byRanks(): Promise<(text: string) => number[]> {
  const [{ Tiktoken }, { default: ranks }] = await Promise.all([
    import('js-tiktoken/lite'),
    import('js-tiktoken/ranks/cl100k_base'),
  ])
  const tiktoken = new Tiktoken(ranks)
  const encode = (text: string) => tiktoken.encode(text, [], [])
  // The merge of one word is quadratic in its length: a file without spaces would take minutes.
  return text => (/\S{65}|\s{65}/.test(text) ? chunks(text, 64).flatMap(encode) : encode(text))
}

function chunks(text: string, size: number): string[] {
  const list: string[] = []
  for (let at = 0; at < text.length; at += size) list.push(text.slice(at, at + size))
  return list
}

const REMEMBERED_CHARACTERS = 8_000_000

/** A conversation is sent whole in every turn: only its newest part is counted anew. */
function remembering(encode: (text: string) => number[]): Tokenizer {
  const known = new Map<string, number[]>()
  let characters = 0
  return {
    encode(text) {
      let tokens = known.get(text)
      if (!tokens) {
        if (characters > REMEMBERED_CHARACTERS) {
          known.clear()
          characters = 0
        }
        known.set(text, (tokens = encode(text)))
        characters += text.length
      }
      return tokens
    },
  }
}
