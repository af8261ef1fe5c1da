/** What the demo does, written as each dialect wants it. */
import { isRecord } from '../../text/record.ts'
import type { Reply } from '../reply.ts'
import type { Scene } from './scene.ts'
import { fillSchema } from './schema.ts'
import type { Call, Move } from './task.ts'

/** `format` is the request's schema, where there is one. */
export function writeMove(move: Move, scene: Scene, format: unknown): Reply {
  const calls = 'calls' in move ? move.calls : []
  const text = 'answer' in move ? move.answer : ''
  if (scene.dialect === 'json' && isRecord(format))
    return { text: JSON.stringify(fillSchema(format, { text, calls })) }
  if (scene.dialect === 'react') return { text: text || writeAction(calls[0], scene) }
  return { thinking: thought(calls, scene), ...(text ? { text } : { calls }) }
}

/** One action a reply: the others follow when its observation is there. */
function writeAction(call: Call | undefined, scene: Scene): string {
  if (!call) return ''
  return `Thought: ${thought([call], scene)}\nAction: ${call.name}\nAction Input: ${JSON.stringify(call.arguments)}\n`
}

/** The demo's thoughts are a script too. */
function thought(calls: readonly Call[], { language }: Scene): string {
  if (calls.length === 0)
    return language === 'zh' ? '结果都有了，可以回答。' : 'The results are here; I can answer.'
  const names = calls.map(call => call.name).join(', ')
  return language === 'zh' ? `先用 ${names} 看看。` : `I use ${names} for this.`
}
