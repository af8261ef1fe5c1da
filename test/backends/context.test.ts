import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseContext } from '../../src/backends/ollama/context.ts'
import { contextLimit } from '../../src/session/find-model.ts'

interface Row {
  max_tokens: number
  trained: number | undefined
  loaded: number | undefined
  num_ctx: number
  limit: number
}

const row = (
  max_tokens: number,
  trained: number | undefined,
  loaded: number | undefined,
  [num_ctx, limit]: [number, number],
): Row => ({ max_tokens, trained, loaded, num_ctx, limit })

const ROWS = [
  // Not loaded: the smaller of what is wanted and what was trained.
  row(32_768, 131_072, undefined, [32_768, 32_768]),
  row(32_768, 8192, undefined, [8192, 8192]),
  row(32_768, undefined, undefined, [32_768, 32_768]),
  // Loaded with enough: a reload would cost more than the memory.
  row(32_768, 131_072, 32_768, [32_768, 32_768]),
  row(32_768, 131_072, 65_536, [65_536, 32_768]),
  row(32_768, 8192, 8192, [8192, 8192]),
  row(32_768, 8192, 16_384, [16_384, 8192]),
  // Loaded with too little.
  row(32_768, 131_072, 4096, [32_768, 32_768]),
  row(32_768, 131_072, 32_767, [32_768, 32_768]),
  row(32_768, 8192, 4096, [8192, 8192]),
  // 0: what the model and the server offer.
  row(0, 131_072, 65_536, [65_536, 65_536]),
  row(0, 131_072, 4096, [4096, 4096]),
  row(0, 131_072, undefined, [32_768, 32_768]),
  row(0, 8192, undefined, [8192, 8192]),
  row(0, undefined, undefined, [32_768, 32_768]),
]

describe('num_ctx and the limit', () => {
  for (const { max_tokens, trained, loaded, num_ctx, limit } of ROWS) {
    it(`max_tokens ${max_tokens}, trained ${trained}, loaded ${loaded}: asks for ${num_ctx}, fills ${limit}`, () => {
      assert.equal(chooseContext({ max_tokens, trained, loaded }), num_ctx)
      assert.equal(contextLimit({ max_tokens, trained, context: num_ctx }), limit)
    })
  }
})
