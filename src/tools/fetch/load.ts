/** Loads a page: from public addresses alone, within limits, by hand as far as redirects to the same host go. */
import type { lookup as systemLookup } from 'node:dns'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { publicAddresses } from '../../net/addresses.ts'
import { guardedLookup } from '../../net/lookup.ts'
import { ToolError } from '../../protocol/errors.ts'
import { messageOf } from '../../text/message-of.ts'
import { literal, redirected } from './target.ts'

export interface Net {
  /** Whether an address may be connected to. Default: those of the public internet. */
  allows?(address: string): boolean
  /** Default: the system's. */
  lookup?: typeof systemLookup
  /** Fires after so many milliseconds. Default: by the clock. */
  after?(ms: number): AbortSignal
}

export interface Page {
  /** Where it was found. */
  url: URL
  status: number
  /** As the server calls it; empty where it does not say. */
  type: string
  bytes: Buffer
  /** It goes on. */
  isCut: boolean
}

const mostRedirects = 5
/** Bytes, decompressed. */
const mostBytes = 5 * 1024 * 1024

/** Rejects with `ToolError` for what the model should hear, or the signal's reason. */
export async function load(
  start: URL,
  { signal, net = {} }: { signal: AbortSignal; net?: Net },
): Promise<Page> {
  const { allows = publicAddresses() } = net
  let url = start
  for (let hops = 0; ; hops++) {
    const response = await answer(url, {
      signal,
      lookup: guardedLookup(allows, { refusal, lookup: net.lookup }),
      allows,
    })
    const { statusCode: status = 0, headers } = response
    if (status < 300 || status >= 400 || headers.location === undefined) {
      const { bytes, isCut } = await bodyOf(response, signal)
      return { url, status, type: headers['content-type'] ?? '', bytes, isCut }
    }
    response.destroy()
    const next = redirected(headers.location, url)
    // Leave was given for this host alone: another one is asked about by a call of its own.
    if (next.host !== url.host)
      throw new ToolError(
        `fetch: ${url.href} redirects to another host. Fetch ${next.href} if you want that.`,
      )
    if (hops === mostRedirects)
      throw new ToolError(`fetch: more than ${mostRedirects} redirects from ${start.href}.`)
    url = next
  }
}

const refusal = (host: string) =>
  new ToolError(
    `fetch: ${host} is not in the public internet (a private, local or metadata address): it is not fetched.`,
  )

function answer(
  url: URL,
  {
    signal,
    lookup,
    allows,
  }: { signal: AbortSignal; lookup: LookupFunction; allows(address: string): boolean },
): Promise<IncomingMessage> {
  const address = literal(url)
  // Nobody looks up what is an address already.
  if (isIP(address) !== 0 && !allows(address)) throw refusal(url.hostname)
  const open = url.protocol === 'https:' ? secureRequest : plainRequest
  return new Promise((resolve, reject) => {
    const request = open(url, {
      signal,
      lookup,
      // No proxy, no connection of anybody else's.
      agent: false,
      headers: {
        accept: 'text/html, text/plain, text/markdown, application/json;q=0.9, */*;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': `gopi/${process.env.GOPI_VERSION ?? '0'}`,
      },
    })
    request.once('response', resolve)
    request.once('error', error => reject(asProblem(error, url, signal)))
    request.end()
  })
}

async function bodyOf(
  response: IncomingMessage,
  signal: AbortSignal,
): Promise<{ bytes: Buffer; isCut: boolean }> {
  const stream = decompressed(response)
  const parts: Buffer[] = []
  let room = mostBytes
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, room))
      room -= part.length
      if (room <= 0) break
    }
  } catch (error) {
    signal.throwIfAborted()
    throw new ToolError(`fetch: the answer broke off: ${messageOf(error)}.`)
  } finally {
    stream.destroy()
    response.destroy()
  }
  return { bytes: Buffer.concat(parts), isCut: room <= 0 }
}

function decompressed(response: IncomingMessage): Readable {
  const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const through = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  }
  if (coding === 'identity') return response
  if (!Object.hasOwn(through, coding))
    throw new ToolError(`fetch: it came in an encoding that gopi cannot read (${coding}).`)
  const unpack = through[coding as keyof typeof through]()
  response.once('error', error => unpack.destroy(error))
  return response.pipe(unpack)
}

function asProblem(error: Error, { host }: URL, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof ToolError) return error
  return new ToolError(`fetch: ${host} could not be reached: ${error.message}.`)
}
