/** What the pickers list, from plain facts. */
import { size } from '../../text/truncate.ts'
import type { Words } from '../../words/words.ts'
import type { PickerItem } from './picker.ts'

/** An installed model, with what is known about it so far. */
export interface KnownModel {
  name: string
  /** Bytes on disk. */
  size: number
  /** As Ollama says it: `7.6B`. */
  parameters?: string
  /** Tokens of context it was trained for. */
  context?: number
  /** As Ollama names them; undefined while they are not known. */
  capabilities?: readonly string[]
  isLoaded?: boolean
}

/** The tag that is meant where none is named is no part of it. */
export const modelId = (name: string): string => name.replace(/:latest$/, '')

export function modelItems(models: readonly KnownModel[], words: Words): PickerItem[] {
  const { lists } = words
  return models.map(({ name, size: bytes, parameters, context, capabilities, isLoaded }) => {
    const can = lists.capabilities
    const facts = [
      size(bytes),
      parameters,
      context === undefined ? undefined : lists.context(shortCount(context)),
    ]
    if (capabilities) {
      facts.push(capabilities.includes('tools') ? can.tools : can.noTools)
      if (capabilities.includes('thinking')) facts.push(can.thinking)
      if (capabilities.includes('vision')) facts.push(can.vision)
    }
    if (isLoaded) facts.push(can.loaded)
    return { id: modelId(name), label: name, detail: facts.filter(fact => fact !== undefined).join(' · ') }
  })
}

/** `32k`, `1M`: context lengths are powers of two. */
export function shortCount(tokens: number): string {
  if (tokens < 1024) return String(tokens)
  if (tokens < 1024 * 1024) return `${Math.round(tokens / 1024)}k`
  return `${(tokens / (1024 * 1024)).toFixed(1).replace(/\.0$/, '')}M`
}

/** A session of the past. */
export interface PastSession {
  id: string
  /** How it began; empty when nothing was said. */
  first: string
  modified: Date
  model?: string
}

/** `now`: of Date.now(). */
export function sessionItems(
  sessions: readonly PastSession[],
  { words, now }: { words: Words; now: number },
): PickerItem[] {
  return sessions.map(({ id, first, modified, model }) => ({
    id,
    label: first === '' ? words.lists.empty : first,
    detail: [words.ago(now - modified.getTime()), model].filter(fact => fact !== undefined).join(' · '),
  }))
}

export function modeItems({ modes }: Words): PickerItem[] {
  return Object.entries(modes).map(([id, { name, does }]) => ({ id, label: name, detail: does }))
}

export function themeItems(words: Words): PickerItem[] {
  return Object.entries(words.themes).map(([id, detail]) => ({ id, label: id, detail }))
}
