/** Talks to the rules over HTTP in any dialect, running nothing: what a call brings is given. */
import assert from 'node:assert/strict'
import type { WireMessage, WireTool } from '../../src/protocol/wire.ts'
import type { DemoServer } from '../support/demo/server.ts'
import { assistant, chat, result, system, user } from './client.ts'

export interface Call {
  name: string
  arguments: Record<string, unknown>
}

const PARAMETERS: Record<string, string[]> = {
  bash: ['command', 'timeout'],
  read: ['path', 'offset', 'limit'],
  write: ['path', 'content'],
  edit: ['path', 'old', 'new', 'all'],
  grep: ['pattern', 'path', 'glob'],
  find: ['pattern', 'path'],
  ls: ['path'],
}

/** What a dialect adds to the request, how it reads a reply, how it sends reply and results back. */
export interface Dialect {
  system: string
  fields: object
  read(answer: { text: string; calls: Call[] }): { calls: Call[]; text: string }
  send(answer: { text: string }, calls: Call[], results: string[]): WireMessage[]
}

const wireTools = (names: readonly string[]): WireTool[] =>
  names.map(name => ({
    type: 'function',
    function: {
      name,
      description: `The ${name} tool.`,
      parameters: {
        type: 'object',
        properties: Object.fromEntries((PARAMETERS[name] ?? []).map(key => [key, { type: 'string' }])),
        required: [],
      },
    },
  }))

const toolLines = (names: readonly string[]) =>
  names.map(name => `- ${name} {${PARAMETERS[name]?.join('?: string, ')}}: The ${name} tool.`).join('\n')

const FORMAT = {
  type: 'object',
  properties: {
    a_kind: { enum: ['chat', 'call'] },
    b_text: { type: 'string' },
    c_calls: {
      type: 'array',
      items: {
        type: 'object',
        properties: { a_name: { type: 'string' }, b_arguments: { type: 'object' } },
        required: ['a_name', 'b_arguments'],
      },
    },
  },
  required: ['a_kind', 'b_text', 'c_calls'],
}

/** The dialects, with these tools. */
export function dialects(names: readonly string[] = Object.keys(PARAMETERS)): Record<string, Dialect> {
  return {
    native: {
      system: 'You are gopi.',
      fields: { tools: wireTools(names) },
      read: answer => answer,
      send: ({ text }, calls, results) => [
        { ...assistant(text), tool_calls: calls.map(call => ({ function: call })) },
        ...results.map((text, index) => result(calls[index]?.name ?? '', text)),
      ],
    },
    react: {
      system: `You are gopi.\n\nThought: …\nAction: …\nAction Input: {"argument": "value"}\n\n${toolLines(names)}`,
      fields: { options: { num_ctx: 8192, stop: ['Observation:'] } },
      read({ text }) {
        const [, name, input] = /^Thought: .+\nAction: (\w+)\nAction Input: (\{.*\})\n$/.exec(text) ?? []
        return name
          ? { calls: [{ name, arguments: JSON.parse(input ?? '') }], text: '' }
          : { calls: [], text }
      },
      send: ({ text }, _calls, results) => [assistant(text), user(`Observation: ${results[0]}`)],
    },
    json: {
      system: `You are gopi. Every reply is one JSON object.\n\n${toolLines(names)}`,
      fields: { format: FORMAT },
      read({ text }) {
        const { a_kind, b_text, c_calls, ...others } = JSON.parse(text)
        assert.deepEqual(others, {})
        assert.equal(a_kind, c_calls.length > 0 ? 'call' : 'chat')
        const calls = c_calls.map((call: { a_name: string; b_arguments: Call['arguments'] }) => ({
          name: call.a_name,
          arguments: call.b_arguments,
        }))
        return { calls, text: b_text }
      },
      send: ({ text }, calls, results) => [
        assistant(text),
        user(results.map((text, index) => `Result of ${calls[index]?.name}:\n${text}`).join('\n\n')),
      ],
    },
  }
}

export interface Run {
  calls: Call[]
  /** The replies' calls, each as the names in it. */
  turns: string[][]
  answer: string
  messages: WireMessage[]
}

/** One run: asks until the demo answers without a call. */
export async function talk(
  server: DemoServer,
  dialect: Dialect,
  { words, brings, before = [] }: { words: string; brings: (call: Call) => string; before?: WireMessage[] },
): Promise<Run> {
  const messages = before.length > 0 ? [...before] : [system(dialect.system)]
  messages.push(user(words))
  const run: Run = { calls: [], turns: [], answer: '', messages }
  while (run.turns.length < 9) {
    const answer = await chat(server, { options: { num_ctx: 8192 }, ...dialect.fields, messages })
    const { calls, text } = dialect.read(answer)
    if (calls.length === 0) {
      messages.push(assistant(answer.text))
      return { ...run, answer: text }
    }
    run.turns.push(calls.map(call => call.name))
    run.calls.push(...calls.map(({ name, arguments: args }) => ({ name, arguments: args })))
    messages.push(...dialect.send(answer, calls, calls.map(brings)))
  }
  throw new Error(`no answer to ${JSON.stringify(words)} after ${run.turns.length} turns`)
}
