/** An answer that must follow a JSON Schema: the server enforces it, and nothing in it is a call. */
import type { Dialect } from './dialect.ts'
import { StreamedReply, type TextReader } from './reply.ts'

/** The dialect with its requests' form replaced. The tools stay in the prompt: its beginning is what the server has read. */
export const forced = (dialect: Dialect, schema: object): Dialect => ({
  ...dialect,
  request: tools => ({ ...dialect.request(tools), format: schema }),
  parser: () =>
    new StreamedReply(
      [],
      (show): TextReader => ({
        feed: char => show('text', char),
        finish: () => {},
        release: () => {},
        calls: [],
        problem: undefined,
        done: false,
        surplus: 0,
      }),
    ),
})
