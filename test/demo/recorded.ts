/** The models of the recordings as scripts, and the recorded exchanges (from a real Ollama 0.24.0, on a CPU). */
import { readFileSync } from 'node:fs'
import type { ChatBody } from '../../src/demo/request.ts'
import type { DemoModel, ReplyShape, Step } from '../support/demo/reply.ts'

export interface Recorded {
  path: string
  request?: unknown
  status: number
  type: string
  lines: { ms: number; line: string }[]
}

/** A long text is written as { repeat, times } in the fixture. */
export function readRecordings(): Record<string, Recorded> {
  const text = readFileSync(new URL('../fixtures/ollama-0.24.json', import.meta.url), 'utf8')
  return JSON.parse(text, (_key, value) => (value?.times ? value.repeat.repeat(value.times) : value))
}

const PARAMETERS = 'stop                           "<|im_end|>"\ntemperature                    0'

export const recordedModels = [
  { name: 'gopi-big', capabilities: ['completion', 'tools'] },
  { name: 'gopi-native', capabilities: ['completion', 'tools'] },
  { name: 'gopi-plain', capabilities: ['completion'] },
  { name: 'gopi-thinker', capabilities: ['completion', 'tools', 'thinking'] },
].map(model => ({ ...model, family: 'qwen2', parameters: PARAMETERS }))

const read = (path: string, tokens: number) => ({ call: { name: 'read', arguments: { path }, tokens } })

/** The first five characters of the last user message choose the reply; each piece was one token. */
const replies: Record<string, Step[]> = {
  'call:': [{ call: { name: 'bash', arguments: { command: 'echo hi' }, tokens: 5 } }],
  'two::': [read('a.txt', 4), read('b.txt', 4)],
  texty: [
    'I will',
    ' look',
    ' first.\n',
    { call: { name: 'bash', arguments: { command: 'ls' }, tokens: 3 } },
  ],
  unkno: ['<tool_call>\n{"name"', ': "no_such_tool", ', '"arguments": {}}', '\n</tool_call> '].map(
    hidden => ({
      hidden,
    }),
  ),
  fence: [
    '```json\n',
    '{\n  "name": "bash",\n',
    '  "arguments": {\n    "command": "echo hi"\n  }\n}',
    '\n```',
  ],
  react: [
    'Thought:',
    ' I should run it.\n',
    'Action: bash\n',
    'Action Input: {"command":',
    ' "echo hi"}\n',
    'Observation:',
    ' invented',
    ' output\n',
  ],
  'long:': Array.from({ length: 600 }, (_, index) => ` w${index}x`),
  'json:': [
    '{"a_thought":',
    ' "run it",',
    ' "b_kind": "call",',
    ' "c_calls": [{"name": "bash",',
    ' "arguments": {"command": "echo ok"}',
    '}]}',
  ],
}
const greeting = ['Hello', ', I am', ' a scripted', ' model', ' with one thing', ' to say.']
const afterTool = ['The', ' command', ' printed', ' hi.\n', 'All', ' done', '.']
const thoughts: Step[] = ['hm', ', let me', ' think', '\n'].map(thinking => ({ thinking }))
const answer = ['Forty', '-two']

export const recordedModel: DemoModel = request => {
  const last = request.messages.at(-1)
  const key = last?.content.slice(0, 5) ?? ''
  if (last?.role === 'tool') return afterTool
  if (key === 'think') return think(request)
  const steps = replies[key] ?? greeting
  return request.model === 'gopi-big' ? killed(steps) : steps
}

/** With thinking off the tags stand in the content, as this model writes them whatever it is told. */
function think(request: ChatBody): ReplyShape {
  if (request.think) return { steps: [{ hidden: '<think>' }, ...thoughts, { hidden: '\n\n' }, ...answer] }
  return { steps: ['<think>', '\nhm', ', let me', ' think', '\n</think>', '\n\n', ...answer] }
}

/** The runner was killed in the middle of this reply. */
function killed(steps: Step[]): Step[] {
  return [...steps.slice(0, 8), { error: 'an error was encountered while running the model: unexpected EOF' }]
}

export interface Replayed {
  status: number
  type: string | null
  lines: string[]
}

/** Sends what was sent then. */
export async function replay(host: string, recorded: Pick<Recorded, 'path' | 'request'>): Promise<Replayed> {
  const { path, request } = recorded
  const response = await fetch(host + path, {
    method: request === undefined ? 'GET' : 'POST',
    ...(request === undefined
      ? {}
      : { body: typeof request === 'string' ? request : JSON.stringify(request) }),
  })
  const text = await response.text()
  const lines = text.split('\n').filter(line => line !== '')
  return { status: response.status, type: response.headers.get('content-type'), lines }
}

/** Keys in their order, and the types of the values; lists by their first element. */
export function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shape(value[0])]
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.entries(value).map(([key, inner]) => [
    key,
    key === 'model_info' || key === 'tensors' ? 'info' : shape(inner),
  ])
}

/** What must be equal to the letter: everything but times, ids, digests, sizes and token counts of the prompt. */
export function content(line: string): unknown {
  const { error, done, done_reason, message, eval_count, model } = JSON.parse(line)
  const calls = message?.tool_calls?.map((call: { function: unknown }) => call.function)
  return {
    error,
    done,
    done_reason,
    eval_count,
    model,
    message: message && { ...message, tool_calls: calls },
  }
}
