/** Whether every round bracket of a text is closed, and none closes that was not opened. */
export function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    else if (character === ')' && --depth < 0) return false
  }
  return depth === 0
}
