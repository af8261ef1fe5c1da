/**
 * The official client package behind an interface of our own. The only file (with its transports) that knows it: it is a
 * chunk of its own, loaded when a server is started.
 */
import { Client, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { messageOf } from '../text/message-of.ts'
import { boundedFetch } from './bounded.ts'
import type { Link, LinkOptions, Target } from './link.ts'
import { LONGEST_MESSAGE, ProgramTransport } from './stdio.ts'

/** Pages of a list that are asked for. */
const MOST_PAGES = 20

/** A server that answers. Rejects with why it does not; then nothing of it is left running. */
export async function connect(
  target: Target,
  { signal, timeout, onClose, onChanged }: LinkOptions,
): Promise<Link> {
  const client = new Client(
    { name: 'gopi', version: process.env.GOPI_VERSION ?? '0' },
    // No capabilities: gopi answers no questions for the person and asks no model for a server.
    { listMaxPages: MOST_PAGES },
  )
  client.fallbackRequestHandler = async ({ method }) => {
    if (method === 'elicitation/create') return { action: 'decline' }
    throw new Error(`gopi declines ${method}`)
  }
  client.fallbackNotificationHandler = async ({ method }) => {
    if (/^notifications\/(?:tools|prompts)\/list_changed$/.test(method)) onChanged()
  }
  const transport =
    'url' in target
      ? new StreamableHTTPClientTransport(new URL(target.url), {
          requestInit: { headers: { ...target.headers } },
          fetch: boundedFetch(LONGEST_MESSAGE),
        })
      : new ProgramTransport(target)
  const lastWords = () => (transport instanceof ProgramTransport ? transport.lastWords.trim() : '')
  const reason = (error: unknown) => {
    const words = lastWords()
    // What does not fit the protocol is told at length.
    const why = messageOf(error).replaceAll(/\s+/g, ' ').slice(0, 200)
    const hasEnded = /EPIPE|has ended|[Cc]onnection closed/.test(why)
    if (words === '') return new Error(hasEnded ? 'it ended without a word' : why)
    // That it has ended is no news beside its own last words.
    return new Error(hasEnded ? words : `${why} (${words})`)
  }
  try {
    await client.connect(transport, { signal, timeout })
  } catch (error) {
    await transport.close().catch(() => {})
    throw reason(error)
  }
  client.onclose = () => onClose(lastWords())

  return {
    async offer(signal) {
      const can = client.getServerCapabilities() ?? {}
      const options = { signal, timeout }
      const [tools, prompts] = await Promise.all([
        can.tools ? client.listTools(undefined, options) : { tools: [] },
        can.prompts ? client.listPrompts(undefined, options) : { prompts: [] },
      ])
      return { tools: tools.tools, prompts: prompts.prompts, resources: can.resources !== undefined }
    },
    async call(name, args, { signal, timeout, onProgress }) {
      try {
        return await client.callTool(
          { name, arguments: args },
          {
            ...{ signal, timeout, maxTotalTimeout: timeout },
            onprogress: ({ progress, total, message }) =>
              onProgress(message ?? `${progress}${total === undefined ? '' : `/${total}`}`),
          },
        )
      } catch (error) {
        // A server over HTTP that was started anew knows nothing of this session.
        if (error instanceof SdkHttpError && error.status === 404) onClose('it has forgotten the session')
        throw reason(error)
      }
    },
    prompt: async (name, args, signal) =>
      (await client.getPrompt({ name, arguments: args }, { signal, timeout })).messages,
    resources: async signal =>
      client.getServerCapabilities()?.resources
        ? (await client.listResources(undefined, { signal, timeout })).resources
        : [],
    read: async (uri, signal) => (await client.readResource({ uri }, { signal, timeout })).contents,
    async close() {
      client.onclose = () => {}
      // A server over HTTP may keep something for the session.
      if (transport instanceof StreamableHTTPClientTransport)
        await Promise.race([
          transport.terminateSession().catch(() => {}),
          new Promise(resolve => setTimeout(resolve, 500).unref()),
        ])
      await client.close()
    },
  }
}

/** What is wrong with arguments by a schema, checked in full; undefined: nothing, or the schema itself cannot be used. */
export function checkerOf(schema: Record<string, unknown>): (args: unknown) => string | undefined {
  try {
    const validate = new AjvJsonSchemaValidator().getValidator({ type: 'object', ...schema })
    return args => {
      const result = validate(args)
      return result.valid ? undefined : result.errorMessage
    }
  } catch {
    // The server checks what it is sent itself.
    return () => undefined
  }
}
