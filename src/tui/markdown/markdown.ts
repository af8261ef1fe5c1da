/** Draws blocks of Markdown. Whoever has not loaded it yet shows their text. */
import type { Line } from '../line.ts'
import type { Block } from './blocks.ts'

export interface Markdown {
  /** Another number whenever a block may be drawn differently from before: some code has got its colours. */
  readonly version: number
  /** No line is wider than `width`. Code of a block that is `open`, still being written, gets no colours. */
  lines(block: Block, width: number, options: { open: boolean }): Line[]
}

export interface MarkdownOptions {
  /** Something can be drawn better than it was. */
  onReady(): void
}

/** Takes some 20 ms: nothing that the first frame should wait for. */
export async function loadMarkdown({ onReady }: MarkdownOptions): Promise<Markdown> {
  const [{ createRender }, { partsOf }, { layOut }, { createHighlighter }] = await Promise.all([
    import('./render.ts'),
    import('./parts.ts'),
    import('./layout.ts'),
    import('./highlight.ts'),
  ])
  let version = 0
  const render = createRender()
  const { colored } = createHighlighter({
    onReady() {
      version++
      onReady()
    },
  })
  return {
    get version() {
      return version
    },
    lines(block, width, { open }) {
      const marked = render(block, { paint: code => (open ? code.text : (colored(code) ?? code.text)) })
      return layOut(partsOf(marked), width)
    },
  }
}
