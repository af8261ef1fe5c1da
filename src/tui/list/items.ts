/** What the pickers list, from plain facts. */
import type { PastSession } from '../../session/past.ts'
import { diskSize } from '../../text/truncate.ts'
import type { Words } from '../../words/words.ts'
import type { PickerItem } from './picker.ts'

/** An installed model, with what is known about it so far. */
export interface KnownModel {
  name: string
  /** Bytes on disk. */
  size?: number
  /** Such as `7.6B`. */
  parameters?: string
  /** Tokens of context it was trained for. */
  context?: number
  /** `tools`, `thinking` …; undefined while they are not known. */
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
      bytes === undefined ? undefined : diskSize(bytes),
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
function shortCount(tokens: number): string {
  if (tokens < 1024) return String(tokens)
  if (tokens < 1024 * 1024) return `${Math.round(tokens / 1024)}k`
  return `${(tokens / (1024 * 1024)).toFixed(1).replace(/\.0$/, '')}M`
}

/** `now`: of Date.now(). */
export function sessionItems(
  sessions: readonly (PastSession & { prompts?: readonly string[] })[],
  { words, now }: { words: Words; now: number },
): PickerItem[] {
  return sessions.map(({ id, first, modified, model, prompts }) => {
    const said = prompts && words.lists.prompts(prompts.length)
    const facts = [words.ago(now - modified.getTime()), said, model]
    return {
      id,
      label: first === '' ? words.lists.empty : first,
      detail: facts.filter(fact => fact !== undefined).join(' · '),
      ...(prompts && { texts: prompts }),
    }
  })
}

/** Of a long prompt so much is looked through (characters). */
const SOUGHT = 400

/** `id`: where it stands in the history. */
export function historyItems(history: readonly string[]): PickerItem[] {
  const newest = new Map<string, number>()
  for (const [index, text] of history.entries()) newest.set(text, index)
  return [...newest]
    .sort(([, one], [, other]) => other - one)
    .map(([text, index]) => ({ id: String(index), label: text.trim().slice(0, SOUGHT) }))
}

export function modeItems({ modes }: Words): PickerItem[] {
  return Object.entries(modes).map(([id, { name, does }]) => ({ id, label: name, detail: does }))
}

/** `own`: names of the person's own themes. */
export function themeItems(
  { themes: { own: detail, ...themes } }: Words,
  own: readonly string[],
): PickerItem[] {
  return [
    ...Object.entries(themes).map(([id, detail]) => ({ id, label: id, detail })),
    ...own.filter(name => !(name in themes)).map(id => ({ id, label: id, detail })),
  ]
}
