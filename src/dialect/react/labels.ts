/** The labels that structure a ReAct reply, each at the start of a line, in any case, bold or not, with `:` or `：`. */

export type Label = 'thought' | 'action' | 'input' | 'observation' | 'answer'

const LABELS: readonly [string, Label][] = [
  ['thought', 'thought'],
  ['action', 'action'],
  ['action input', 'input'],
  ['observation', 'observation'],
  ['final answer', 'answer'],
  ['思考', 'thought'],
  ['动作', 'action'],
  ['行动', 'action'],
  ['动作输入', 'input'],
  ['行动输入', 'input'],
  ['观察', 'observation'],
  ['观察结果', 'observation'],
  ['最终答案', 'answer'],
  ['最终回答', 'answer'],
]
/** Quotation, heading and emphasis marks that models put before a label. */
const DECORATION = /^[ \t]{0,12}[*_#>]{0,12}[ \t]{0,12}/
/** Between the word and its colon: the end of the emphasis, a step's number. */
const TAIL = /^[*_ \t\d]{0,6}[:：]$/
const TAIL_SO_FAR = /^[*_ \t\d]{0,6}$/
const MAX_DECORATION = 12

/** `emphasis`: how many asterisks that stood before the label are still to be closed after it. */
export type LabelMatch = { label: Label; emphasis: number } | 'maybe' | undefined

/** What the start of a line is; `maybe` while more text could still make it a label. */
export function matchLabel(line: string): LabelMatch {
  const decoration = DECORATION.exec(line)?.[0] ?? ''
  const words = line.slice(decoration.length).toLowerCase()
  if (decoration.length > MAX_DECORATION) return undefined
  if (words === '') return 'maybe'
  let maybe = false
  for (const [text, label] of LABELS) {
    maybe ||= text.startsWith(words)
    if (!words.startsWith(text)) continue
    const tail = words.slice(text.length)
    if (TAIL.test(tail)) return { label, emphasis: Math.max(0, stars(decoration) - stars(tail)) }
    maybe ||= TAIL_SO_FAR.test(tail)
  }
  return maybe ? 'maybe' : undefined
}

function stars(text: string): number {
  return text.split('*').length - 1
}
