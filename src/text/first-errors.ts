/** Characters and lines of a failed check that are worth a model's reading. */
const MOST_LINES = 30
const MOST_CHARACTERS = 4_000
/** `src/a.ts(3,5)`, `a.py:3:`, `  File "a.py", line 3`, `error[E0308]`, `--> src/a.rs:3:5`, `✖ a test`. */
const PLACE = /[\w./\\-]+\.\w+[:(]\d+|line \d+|^\s*(?:error|FAIL|✖|not ok)\b/i

/** The first errors with file and line, and what follows each; where none is recognised, the end. The exit code stays. */
export function firstErrors(output: string): string {
  const lines = output.trimEnd().split('\n')
  const first = lines.findIndex(line => PLACE.test(line))
  const from = first < 0 ? Math.max(0, lines.length - MOST_LINES) : first
  const shown = lines.slice(from, from + MOST_LINES)
  const last = lines.at(-1) ?? ''
  const left = lines.length - from - shown.length
  const text = shown.join('\n').slice(0, MOST_CHARACTERS)
  return left > 0 ? `${text}\n… (${left} more lines)\n${last}` : text
}
