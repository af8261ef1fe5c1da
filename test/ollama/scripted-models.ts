/**
 * Models for a real Ollama that say what a script says: the recorded chains and gopi's own. The first five characters
 * of the last user message choose what is said. They are made over the server's API, and removed again.
 */
import { createHash } from 'node:crypto'
import { type Script, scriptedGguf } from '../support/gguf/scripted.ts'

/** First five characters of a user message → the chain. */
export const STATES: Record<string, string> = {
  'call:': 'call',
  'two::': 'two',
  'task:': 'task',
  texty: 'texty',
  unkno: 'unknown',
  fence: 'fence',
  react: 'react',
  think: 'think',
  'long:': 'long',
  'json:': 'json',
  jcall: 'jsonCall',
  Obser: 'final',
  Resul: 'jsonFinal',
}

export const CHAINS: Script['chains'] = {
  say: ['Hello', ', I am', ' a scripted', ' model', ' with one thing', ' to say.'],
  call: ['<tool_call>', '\n{"name": "bash",', ' "arguments": {"command":', ' "echo hi"}}', '\n</tool_call>'],
  two: [
    '<tool_call>\n',
    '{"name": "read",',
    ' "arguments": {"path": "a.txt"}}',
    '\n</tool_call>\n',
    '<tool_call>\n{"name":',
    ' "read", "arguments":',
    ' {"path": "b.txt"}}\n',
    '</tool_call>',
  ],
  task: [
    '<tool_call>\n{ "name": "task",',
    ' "arguments": { "agent":',
    ' "general", "prompt":',
    ' "Greet."} }\n',
    '</tool_call>\n\n',
  ],
  texty: [
    'I will',
    ' look',
    ' first.\n',
    '<tool_call>\n{',
    '"name": "bash", "arguments": {',
    '"command": "ls"}}\n</tool_call>',
  ],
  unknown: ['<tool_call>\n{"name"', ': "no_such_tool", ', '"arguments": {}}', '\n</tool_call> '],
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
    'Thought: done',
  ],
  final: ['Thought: I know', ' now.\n', 'Final Answer:', ' it printed', ' hi.'],
  after: ['The', ' command', ' printed', ' hi.\n', 'All', ' done', '.'],
  think: ['<think>', '\nhm', ', let me', ' think', '\n</think>', '\n\n', 'Forty', '-two'],
  long: Array.from({ length: 600 }, (_, index) => ` w${index}x`),
  json: [
    '{"a_thought":',
    ' "run it",',
    ' "b_kind": "call",',
    ' "c_calls": [{"name": "bash",',
    ' "arguments": {"command": "echo ok"}',
    '}]}',
  ],
  jsonCall: [
    '{"a_kind":',
    ' "call",',
    ' "b_text": "",',
    ' "c_calls": [{"a_name": "bash",',
    ' "b_arguments": {"command":',
    ' "echo hi" }}',
    ']}',
  ],
  jsonFinal: ['{"a_kind": "chat",', ' "b_text": "It', ' printed hi twice.",', ' "c_calls": []}'],
}

const PARAMETERS = { temperature: 0, stop: ['<|im_end|>'] }

/** Names that a person's own models do not have. */
export const modelNamed = (kind: 'native' | 'plain' | 'thinker' | 'big'): string => `gopi-test-${kind}`

export const SMALL = { layers: 2, width: 256, feedForward: 512, context: 32_768 }

export interface ModelMaker {
  /** Resolves when all of them are on the server. */
  make(): Promise<void>
  remove(): Promise<void>
}

/** `big`: also one whose reading takes time, for benches. */
export function modelsOn(host: string, { big = false } = {}): ModelMaker {
  const templates: Record<string, string> = {
    [modelNamed('native')]: template({ tools: true }),
    [modelNamed('plain')]: template({ after: 'final' }),
    [modelNamed('thinker')]: template({ tools: true, thinking: true }),
  }
  return {
    async make() {
      const digest = await upload(host, scriptedGguf({ ...SMALL, chains: CHAINS }))
      for (const [name, text] of Object.entries(templates))
        await create(host, { name, digest, template: text })
      if (!big) return
      await makeBig(host, { name: modelNamed('big'), chains: CHAINS, template: template({ tools: true }) })
    },
    async remove() {
      for (const name of [...Object.keys(templates), ...(big ? [modelNamed('big')] : [])])
        await removeModel(host, name)
    },
  }
}

/** One whose reading takes time. */
export async function makeBig(
  host: string,
  { name, chains, template }: { name: string; chains: Script['chains']; template: string },
): Promise<void> {
  const size = { layers: 4, width: 512, feedForward: 2048, context: 32_768 }
  const digest = await upload(host, scriptedGguf({ ...size, chains }))
  // Threads wait for each other as busy as can be: with one, other work on the machine disturbs the figures less.
  await create(host, { name, digest, template, parameters: { num_thread: 1, num_ctx: size.context } })
}

export const removeModel = (host: string, model: string): Promise<void> =>
  post(host, '/api/delete', { model }, 'DELETE')

interface Creation {
  name: string
  /** Of the weights. */
  digest: string
  template: string
  parameters?: object
}

const create = (host: string, { name, digest, template, parameters }: Creation): Promise<void> =>
  post(host, '/api/create', {
    model: name,
    files: { 'script.gguf': digest },
    template,
    parameters: { ...PARAMETERS, ...parameters },
    stream: false,
  })

async function upload(host: string, parts: readonly Buffer[]): Promise<string> {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  const digest = `sha256:${hash.digest('hex')}`
  const known = await fetch(`${host}/api/blobs/${digest}`, { method: 'HEAD' })
  if (known.ok) return digest
  const answer = await fetch(`${host}/api/blobs/${digest}`, {
    method: 'POST',
    body: new Blob([...parts] as BlobPart[]),
  })
  if (!answer.ok) throw new Error(`the model could not be uploaded: ${await answer.text()}`)
  return digest
}

async function post(host: string, path: string, body: object, method = 'POST'): Promise<void> {
  const answer = await fetch(host + path, { method, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
}

interface TemplateOptions {
  tools?: boolean
  thinking?: boolean
  /** What is said after a tool's result. */
  after?: string
}

/**
 * A chat template in the server's language. The state token stands after the assistant header that answers the user's
 * message, in every turn: so the prompt's beginning stays the same. Without `.Tools` a model takes no tools, and with
 * `.Thinking` it can think.
 */
function template({ tools = false, thinking = false, after = 'after' }: TemplateOptions): string {
  const choices = Object.entries(STATES)
    .map(([key, state]) => `{{- if eq $k "${key}" }}{{- $s = "<|s:${state}|>" }}{{- end }}`)
    .join('')
  const state = `{{- $s := "<|s:say|>" }}{{- if ge (len .Content) 5 }}{{- $k := slice .Content 0 5 }}${choices}{{- end }}`
  const told = tools
    ? `
{{- if .Tools }}
# Tools
{{ range .Tools }}{{ json .Function }}
{{ end }}Call one as <tool_call>{"name": …, "arguments": …}</tool_call>
{{- end }}`
    : ''
  const calls = `{{ range .ToolCalls }}<tool_call>
{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
</tool_call>{{ end }}`
  const said = tools
    ? `{{ if .Content }}{{ .Content }}{{ else if .ToolCalls }}${calls}{{ end }}`
    : '{{ .Content }}'
  const thought = thinking ? '{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}' : ''
  return `{{- if ${tools ? 'or .System .Tools' : '.System'} }}<|im_start|>system
{{ .System }}${told}<|im_end|>
{{ end }}
{{- range .Messages }}
{{- if eq .Role "user" }}${state}<|im_start|>user
{{ .Content }}<|im_end|>
<|im_start|>assistant
{{ $s }}
{{- else if eq .Role "assistant" }}${thought}${said}<|im_end|>
{{ else if eq .Role "tool" }}<|im_start|>tool
{{ .Content }}<|im_end|>
<|im_start|>assistant
<|s:${after}|>
{{- end }}
{{- end }}`
}
