/** What every first request costs to read: system text and tools, in cl100k tokens. */
import { Tiktoken } from 'js-tiktoken/lite'
import cl100k from 'js-tiktoken/ranks/cl100k_base'
import { systemPrompt } from '../src/context/system.ts'
import type { DialectName } from '../src/protocol/messages.ts'
import { builtinTools } from '../src/tools/list.ts'
import { toWire } from '../src/tools/tool.ts'
import type { Row } from './measure.ts'

const bounds: Record<DialectName, number> = { native: 900, react: 1_000, json: 1_000 }

export function promptRows(): Row[] {
  const encoding = new Tiktoken(cl100k)
  const tools = builtinTools().map(toWire)
  const facts = { cwd: '/home/me/project', os: 'Linux', timeout: '30s', tools, instructions: [] }
  const dialects: DialectName[] = ['native', 'react', 'json']
  return dialects.map(dialect => {
    const bound = bounds[dialect]
    const system = systemPrompt({ ...facts, dialect })
    const sent = dialect === 'native' ? system + JSON.stringify(tools) : system
    const tokens = encoding.encode(sent).length
    return {
      figure: `system text${dialect === 'native' ? ' + tools' : ''}, ${dialect}`,
      against: '–',
      measured: `${tokens} tokens`,
      floor: '–',
      reach: `≤ ${bound} tokens`,
      reached: tokens <= bound,
    }
  })
}
