/**
 * Colours for code, by highlight.js, in idle time: code is drawn plain first. Only languages that are known, each loaded
 * when its first code comes, and nothing very long; nothing is ever guessed.
 */
import type { HLJSApi } from 'highlight.js'
import { sanitize } from '../../text/sanitize.ts'
import type { CodeBlock } from './block.ts'
import { type Language, languageOf, loadLanguage } from './languages.ts'
import { type InkLetter, MARK } from './marks.ts'

export type Code = Pick<CodeBlock, 'language' | 'text' | 'before'>

export interface Highlighter {
  /** Code as marked text, once it is ready; until then it is undefined, and `onReady` will be called. */
  colored(code: Code): string | undefined
}

/** Characters. Longer code stays plain: it would take more than a key press may wait. */
const LONGEST = 8_000
/** Pieces that wait; whatever of the others is still in view asks again. */
const WAITING = 50
/** Characters of the code before it that are read, so that a comment which began there goes on. */
const CONTEXT = 4_000
const KEPT = 200
/** The person may be typing, the reply may be streaming: one piece at a time, with pauses, ms. */
const PAUSE = 20

export function createHighlighter({ onReady }: { onReady(): void }): Highlighter {
  const known = new Map<string, string>()
  const waiting = new Map<string, Job>()
  let isWorking = false

  /** What was asked for last is most likely still in view. */
  const newest = (): Job | undefined => [...waiting.values()].at(-1)

  const work = async (): Promise<void> => {
    const hljs = (await import('highlight.js/lib/core')).default
    for (let job = newest(); job; job = newest()) {
      await loadLanguage(hljs, job.language)
      await new Promise(resolve => setTimeout(resolve, PAUSE))
      known.set(job.key, colors(hljs, job.code, job.language))
      waiting.delete(job.key)
      limit(known, KEPT)
      onReady()
    }
  }

  const start = async (): Promise<void> => {
    isWorking = true
    try {
      await work()
    } catch {
      // Code without colours can be read as well.
      waiting.clear()
    } finally {
      isWorking = false
    }
  }

  return {
    colored(code) {
      const language = languageOf(code.language)
      if (language === undefined || code.text.length > LONGEST) return undefined
      const key = `${language}\n${contextOf(code).length}\n${code.text}`
      const ready = known.get(key)
      if (ready !== undefined || waiting.has(key)) return ready
      waiting.set(key, { key, code, language })
      limit(waiting, WAITING)
      if (!isWorking) start()
      return undefined
    },
  }
}

interface Job {
  key: string
  code: Code
  language: Language
}

/** The oldest go. */
function limit(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) break
    map.delete(key)
  }
}

function contextOf({ before }: Code): string {
  let context = ''
  for (let block = before; block && context.length < CONTEXT; block = block.before) {
    context = `${sanitize(block.text)}\n${context}`
  }
  return context
}

function colors(hljs: HLJSApi, code: Code, language: Language): string {
  const context = contextOf(code)
  const { value } = hljs.highlight(context + code.text, { language, ignoreIllegals: true })
  return withoutLines(marksOf(value), context === '' ? 0 : context.split('\n').length - 1)
}

/** What highlight.js writes as HTML, in our marks. */
function marksOf(html: string): string {
  return html
    .replaceAll(/<span class="hljs-([\w-]+)[^"]*">/g, (_, name: string) => inkOpen(INKS.get(name) ?? 'p'))
    .replaceAll(/<span[^>]*>/g, inkOpen('p'))
    .replaceAll('</span>', MARK.styleEnd)
    .replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, entity => ENTITIES[entity] ?? entity)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

const inkOpen = (letter: InkLetter): string => `${MARK.style}${letter}`

/** What is not here is drawn plain. */
const INKS = new Map<string, InkLetter>(
  Object.entries({
    ...{ keyword: 'k', 'selector-tag': 'k', 'template-tag': 'k', name: 'k', meta: 'k', section: 'h' },
    ...{ string: 'r', regexp: 'r', link: 'r', symbol: 'r', char: 'r', code: 'r' },
    ...{ number: 'n', literal: 'n', bullet: 'n' },
    ...{ comment: 'o', quote: 'o', doctag: 'o' },
    ...{ title: 'f', 'selector-id': 'f', 'selector-class': 'f', attr: 'f', attribute: 'f', property: 'f' },
    ...{ type: 'y', class: 'y', built_in: 'y' },
    ...{ addition: 'a', deletion: 'd', strong: 'b', emphasis: 'i' },
  }),
)

/** The first lines are left out, except for the styles in which they end. */
function withoutLines(marked: string, lines: number): string {
  let at = 0
  const open: string[] = []
  for (let left = lines; left > 0; at++) {
    const character = marked[at]
    if (character === undefined) return ''
    if (character === '\n') left--
    else if (character === MARK.style) open.push(marked.slice(at, at + 2))
    else if (character === MARK.styleEnd) open.pop()
  }
  return open.join('') + marked.slice(at)
}
