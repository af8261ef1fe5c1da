/** Draws blocks of Markdown. Whoever has not loaded it yet shows their text. */
import type { Line } from '../line.ts'
import type { Block } from './block.ts'

export interface Markdown {
  /** Another number whenever a block may be drawn differently from before: some code has got its colours. */
  readonly version: number
  /** No line is wider than `width`. Code of a block that is `open`, still being written, gets no colours. */
  lines(block: Block, width: number, options: { open: boolean }): Line[]
  /** Code line by line, in its colours; undefined: they are not known, or not yet. `language`: as after a fence. */
  code(language: string, text: string): readonly Line[] | undefined
}

const mostRead = 24

/** Something of everything. */
const SAMPLES = [
  'a',
  '*b* **k** `c`',
  '- d\n  1. e',
  '| f | g |\n|--|--|\n| 1 | 2 |',
  '> [h](i) \u4e00\u4e8c <b>',
  '```\nj\n```',
]

/**
 * Takes some 60 ms, half of them for patterns that are compiled when they are first used. Nothing that the first frame
 * or the first word of a reply should wait for; keys are read in between. `onReady`: something can be drawn better
 * than it was.
 */
export async function loadMarkdown({ onReady }: { onReady(): void }): Promise<Markdown> {
  const [{ createRender }, { partsOf }, { layOut }, { createHighlighter }, { verbatim }] = await Promise.all([
    import('./render.ts'),
    import('./parts.ts'),
    import('./layout.ts'),
    import('./highlight.ts'),
    import('./marks.ts'),
  ])
  let version = 0
  const render = createRender()
  const { colored } = createHighlighter({
    onReady() {
      version++
      onReady()
    },
  })
  const lines: Markdown['lines'] = (block, width, { open }) => {
    const marked = render(block, { paint: code => (open ? code.text : (colored(code) ?? code.text)) })
    return layOut(partsOf(marked), width)
  }
  for (const source of SAMPLES) {
    lines({ type: 'markdown', source }, 8, { open: true })
    await new Promise(resolve => setImmediate(resolve))
  }
  /** What was read lately. */
  const read = new Map<string, readonly Line[]>()
  const code: Markdown['code'] = (language, text) => {
    const marked = colored({ language, text })
    if (marked === undefined) return undefined
    const known = read.get(marked)
    if (known) return known
    const [part] = partsOf(verbatim(marked))
    const lines = part?.type === 'verbatim' ? part.lines : []
    read.set(marked, lines)
    const [oldest = ''] = read.keys()
    if (read.size > mostRead) read.delete(oldest)
    return lines
  }
  return {
    get version() {
      return version
    },
    lines,
    code,
  }
}
