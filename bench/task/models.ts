/** Models for a real server that do the task with the tools of one client: their weights spell its calls. */
import type { WireTool } from '../../src/protocol/wire.ts'
import { makeBig } from '../../test/ollama/scripted-models.ts'
import { answer, calls } from './script.ts'

/** Characters of a token, about. */
const length = 4

/** Resolves when the server has it. */
export async function makeTaskModel(host: string, name: string, tools: readonly WireTool[]): Promise<void> {
  const said = calls(tools).map(call => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`)
  const taken = new Set<string>()
  const chains = Object.fromEntries(
    [...said, answer].map((text, step) => [`step${step}`, pieces(text, taken)]),
  )
  await makeBig(host, { name, chains, template: template(said.length) })
}

/** Each of them stands in one place of all texts: so the next one is known. */
function pieces(text: string, taken: Set<string>): string[] {
  const found: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = at + length
    while (end < text.length && taken.has(text.slice(at, end))) end++
    const piece = text.slice(at, end)
    at += piece.length
    found.push(piece)
    while (taken.has(found.at(-1) ?? '')) found.push(found.splice(-2).join(''))
    taken.add(found.at(-1) ?? '')
  }
  return found
}

/** The number of results says how far the task has come. */
function template(steps: number): string {
  const next = Array.from({ length: steps }, (_, n) => `if eq $n ${n} }}{{- $n = ${n + 1} }}{{- `).join(
    'else ',
  )
  return `{{- $n := 0 }}
{{- if or .System .Tools }}<|im_start|>system
{{ .System }}
{{- if .Tools }}
# Tools
{{ range .Tools }}{{ json .Function }}
{{ end }}Call one as <tool_call>{"name": …, "arguments": …}</tool_call>
{{- end }}<|im_end|>
{{ end }}
{{- range .Messages }}
{{- if eq .Role "user" }}<|im_start|>user
{{ .Content }}<|im_end|>
<|im_start|>assistant
<|s:step{{ $n }}|>
{{- else if eq .Role "assistant" }}
{{- if .ToolCalls }}{{ range .ToolCalls }}<tool_call>
{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
</tool_call>{{ end }}{{ else }}{{ .Content }}{{ end }}<|im_end|>
{{ else if eq .Role "tool" }}{{- ${next}end }}<|im_start|>tool
{{ .Content }}<|im_end|>
<|im_start|>assistant
<|s:step{{ $n }}|>
{{- end }}
{{- end }}`
}
