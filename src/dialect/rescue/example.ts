/** Whether a call that stands in the middle of a text is only explained there. */

/** Words that announce an example, or speak of calls in general. */
const EXPLAINS =
  /\b(?:examples?|e\.g|for instance|like this|looks? like|such as|format|form|syntax|schema|notation|(?:you|one|we) (?:can|may|might|would|could)|(?:docs?|documentation|manual|spec)\b)|例如|比如|示例|例子|格式|形式|可以这样|你可以|语法/i
/** What stands for a value instead of one. */
const PLACEHOLDER = /\{\s*(?:\.\.\.|…)\s*\}|"(?:\.\.\.|…|<[^"<>]{1,80}>)"/
const NEAR = 160
const MAX_CALL = 2000

/** The call stands from `start` to `end`. */
export function isExample(text: string, { start, end }: { start: number; end: number }): boolean {
  const call = text.slice(start, Math.min(end, start + MAX_CALL))
  const before = text.slice(Math.max(0, start - NEAR), start)
  const after = text.slice(end, end + NEAR)
  return PLACEHOLDER.test(call) || EXPLAINS.test(lastParagraph(before)) || EXPLAINS.test(firstLine(after))
}

const lastParagraph = (text: string): string =>
  text
    .trimEnd()
    .split(/\n\s*\n/)
    .at(-1) ?? ''
const firstLine = (text: string): string => text.trimStart().split('\n')[0] ?? ''
