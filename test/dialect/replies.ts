/** Runs a reply through a dialect's parser, and demands the same of it however its text is cut. */
import assert from 'node:assert/strict'
import { createDialect } from '../../src/dialect/create.ts'
import type { ParsedCall, Reply, Shown } from '../../src/dialect/dialect.ts'
import type { DialectName } from '../../src/protocol/messages.ts'
import type { EndReason, Piece, WireTool } from '../../src/protocol/wire.ts'

export function makeTool(
  name: string,
  properties: Record<string, string> = {},
  required: string[] = [],
): WireTool {
  const types = Object.entries(properties).map(([key, type]) => [key, { type }])
  const parameters = { type: 'object' as const, properties: Object.fromEntries(types), required }
  return { type: 'function', function: { name, description: `The tool ${name}.`, parameters } }
}

export const TOOLS: WireTool[] = [
  makeTool('bash', { command: 'string', timeout: 'integer' }, ['command']),
  makeTool('read', { path: 'string', offset: 'integer', limit: 'integer' }, ['path']),
  makeTool('write', { path: 'string', content: 'string' }, ['path', 'content']),
  makeTool('ls', { path: 'string' }),
]

/** A reply as the loop and a face have seen it: `text` and `thinking` are what was shown, piece after piece. */
export interface Seen {
  text: string
  thinking: string
  calls: Omit<ParsedCall, 'from'>[]
  content: string
  done: boolean
  textCalls: boolean
  unreadable: Reply['unreadable']
}

export interface ReplyOptions {
  tools?: readonly WireTool[]
  end?: EndReason | 'cut'
}

export function readPieces(dialect: DialectName, pieces: readonly Piece[], options: ReplyOptions = {}): Seen {
  const parser = createDialect(dialect).parser(options.tools ?? TOOLS)
  const seen = { text: '', thinking: '' }
  let calls = 0
  // What came before a stray end of thoughts was one, and its calls are none.
  const mayBeThought = pieces
    .map(piece => ('text' in piece ? piece.text : ''))
    .join('')
    .includes('</think>')
  const see = (shown: Shown) => {
    if (shown.type !== 'unsaid') seen[shown.type] += shown.text
    else {
      seen.thinking += seen.text.replace(/\s*<\/think>\s*$/, '')
      seen.text = ''
    }
  }
  for (const piece of pieces) {
    parser.push(piece).forEach(see)
    assert.ok(mayBeThought || parser.calls.length >= calls, 'calls only grow')
    calls = parser.calls.length
  }
  const done = parser.done
  const early = [...parser.calls]
  const reply = parser.finish(options.end ?? 'stop')
  reply.shown.forEach(see)
  if (!reply.unreadable && !mayBeThought)
    assert.deepEqual(reply.calls.slice(0, early.length), early, 'a call is taken back only with all of them')
  else assert.ok(reply.calls.length === 0 || reply.calls.length >= early.length, 'all calls or none')
  assert.equal(seen.text, reply.text, 'what was shown is the answer')
  assert.equal(seen.thinking, reply.thinking, 'what was shown as thinking is the thinking')
  const { content, textCalls, unreadable } = reply
  const bare = reply.calls.map(({ from, ...call }) => call)
  return { ...seen, calls: bare, content, done, textCalls, unreadable }
}

/** Reads a text whole, unit by unit, and in two pieces cut at every position: the results must be the same. */
export function readText(dialect: DialectName, text: string, options: ReplyOptions = {}): Seen {
  const read = (pieces: string[]) =>
    readPieces(
      dialect,
      pieces.map(piece => ({ type: 'text', text: piece })),
      options,
    )
  const whole = read([text])
  assert.deepEqual(read(text.split('')), whole, 'fed unit by unit')
  for (let at = 1; at < text.length; at++) {
    assert.deepEqual(read([text.slice(0, at), text.slice(at)]), whole, `cut at ${at}`)
  }
  return whole
}

/** A small generator of numbers in [0, 1): the same seed gives the same texts on every machine. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
