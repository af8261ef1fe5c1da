/** What the person sets in the editor: mode, model and thinking. */
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import type { PermissionMode } from '../protocol/events.ts'
import { THINK, type Thinking } from '../protocol/wire.ts'
import type { ACP_EN } from '../words/acp-en.ts'
import type { Words } from '../words/words.ts'

export interface Chosen {
  mode: PermissionMode
  /** Empty before it is known. */
  model: string
  models: readonly string[]
  think: Thinking
  /** Mode yolo is on offer. */
  hasYolo: boolean
}

const MODES: readonly PermissionMode[] = ['ask', 'auto-edit', 'plan', 'yolo']

export const isThinking = (value: unknown): value is Thinking => THINK.some(one => one === value)

/** Those on offer; the one that holds is always among them. */
export const modesOf = ({ mode, hasYolo }: Pick<Chosen, 'mode' | 'hasYolo'>): PermissionMode[] =>
  MODES.filter(one => one !== 'yolo' || hasYolo || mode === 'yolo')

export const modeState = (chosen: Chosen, { modes }: Words): SessionModeState => ({
  currentModeId: chosen.mode,
  availableModes: modesOf(chosen).map(id => ({ id, name: modes[id].name, description: modes[id].does })),
})

export function configOptions(chosen: Chosen, { modes }: Words, own: typeof ACP_EN): SessionConfigOption[] {
  const { mode, model, models, think } = chosen
  const named = model === '' || models.includes(model) ? models : [model, ...models]
  const select = { type: 'select' } as const
  return [
    {
      ...select,
      ...{ id: 'mode', name: own.mode, category: 'mode', currentValue: mode },
      options: modesOf(chosen).map(id => ({ value: id, name: modes[id].name, description: modes[id].does })),
    },
    ...(named.length === 0
      ? []
      : [
          {
            ...select,
            ...{ id: 'model', name: own.model, category: 'model', currentValue: model },
            options: named.map(name => ({ value: name, name })),
          },
        ]),
    {
      ...select,
      ...{ id: 'think', name: own.think, category: 'thought_level', currentValue: think },
      options: THINK.map(level => ({ value: level, name: own.thinking[level] })),
    },
  ]
}
