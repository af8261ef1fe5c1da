/** The body of /api/chat. */
import type { WireMessage } from '../../protocol/wire.ts'
import type { ChatRequest } from '../backend.ts'

/** Messages as they were written out: a request shares nearly all of them with the one before. */
const written = new WeakMap<WireMessage, string>()

/**
 * Its order of fields is fixed, so that the same request is the same bytes. `truncate: false`: what does not fit is an
 * error, never a conversation that lost its beginning without a word. `shift` is never sent: another value than the
 * loaded runner's would make it reload.
 */
export function chatBody({ model, messages, ...rest }: ChatRequest): string {
  const { tools, format, think, keep_alive, context, most, stop } = rest
  const options = {
    num_ctx: context,
    ...rest.options,
    ...(stop && { stop }),
    ...(most !== undefined && { num_predict: most }),
  }
  const tail = JSON.stringify({ tools, format, think, truncate: false, keep_alive, options, stream: true })
  return `{"model":${JSON.stringify(model)},"messages":[${messages.map(write).join()}],${tail.slice(1)}`
}

function write(message: WireMessage): string {
  const before = written.get(message)
  if (before !== undefined) return before
  const text = JSON.stringify(message)
  written.set(message, text)
  return text
}
