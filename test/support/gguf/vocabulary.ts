/** cl100k's byte-pair encoding as a GGUF wants it: tokens and merges in the letters that GPT-2 writes bytes with. */
import cl100k from 'js-tiktoken/ranks/cl100k_base'

export interface Vocabulary {
  tokens: string[]
  /** `left right`, the most frequent first. */
  merges: string[]
}

export function readVocabulary(): Vocabulary {
  const words: string[] = []
  for (const line of cl100k.bpe_ranks.split('\n').filter(line => line !== '')) {
    const [, first, ...encoded] = line.split(' ')
    encoded.forEach((word, index) => {
      words[Number(first) + index] = Buffer.from(word, 'base64').toString('latin1')
    })
  }
  const ranks = new Map(words.map((word, rank) => [word, rank]))
  const merges = words.flatMap((word, rank) => {
    const parts = partsOf(word, rank, ranks)
    return parts.length === 2 ? [parts.map(spelled).join(' ')] : []
  })
  return { tokens: words.map(spelled), merges }
}

/** The last two parts that a word was merged from: tiktoken keeps ranks only, and the merges follow from them. */
function partsOf(word: string, rank: number, ranks: ReadonlyMap<string, number>): string[] {
  const parts = [...word]
  while (parts.length > 2) {
    let best = -1
    let lowest = rank
    for (let index = 0; index + 1 < parts.length; index++) {
      const found = ranks.get(`${parts[index]}${parts[index + 1]}`) ?? rank
      if (found >= lowest) continue
      lowest = found
      best = index
    }
    if (best < 0) break
    parts.splice(best, 2, `${parts[best]}${parts[best + 1]}`)
  }
  return parts
}

const LETTERS = letters()

function spelled(bytes: string): string {
  return [...bytes].map(byte => LETTERS[byte.charCodeAt(0)]).join('')
}

/** Bytes that print are themselves; the others are letters from 256 on. */
function letters(): string[] {
  let next = 256
  return Array.from({ length: 256 }, (_, byte) => {
    const prints = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
    return String.fromCharCode(prints ? byte : next++)
  })
}
