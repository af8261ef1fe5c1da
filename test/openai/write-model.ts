/**
 * `npm run test:openai -- write FILE`: the scripted model with its chat template in the file itself, for engines that read that and have
 * no way of their own to be told one (llama.cpp's server): what `npm run test:openai` is to be run against then.
 */
import { writeFileSync } from 'node:fs'
import { CHAINS, SMALL, STATES } from '../ollama/scripted-models.ts'
import { scriptedGguf } from '../support/gguf/scripted.ts'

/** As the one for Ollama: the state token answers the user's message and stays behind it in every later turn. */
const TEMPLATE = `{%- set states = ${JSON.stringify(STATES)} -%}
{%- for message in messages -%}
{%- if message.role == 'system' -%}<|im_start|>system
{{ message.content }}{% if tools %}

# Tools
{% for tool in tools %}{{ tool.function | tojson }}
{% endfor %}Call one as <tool_call>{"name": …, "arguments": …}</tool_call>{% endif %}<|im_end|>
{% elif message.role == 'user' -%}<|im_start|>user
{{ message.content }}<|im_end|>
<|im_start|>assistant
<|s:{{ states[message.content[:5]] if message.content[:5] in states else 'say' }}|>
{%- elif message.role == 'assistant' -%}
{{ message.content or '' }}{% for call in message.tool_calls or [] %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments }}}
</tool_call>{% endfor %}<|im_end|>
{% elif message.role == 'tool' -%}<|im_start|>tool
{{ message.content }}<|im_end|>
<|im_start|>assistant
<|s:after|>
{%- endif -%}
{%- endfor -%}`

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('expected the path of the file to write')
writeFileSync(file, Buffer.concat(scriptedGguf({ ...SMALL, chains: CHAINS, template: TEMPLATE })))
