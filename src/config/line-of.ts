/** Where something stands in a file of YAML or JSON: for sentences about what is wrong there. Import it lazily: it loads yaml. */
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import { readConfigFile } from './file.ts'

/** The line of the key at a path, or of the nearest thing around it; undefined: the first key of the path is not there. */
export function lineOf(file: string, keys: readonly string[]): number | undefined {
  const content = readConfigFile(file)
  if (!('text' in content)) return undefined
  const lines = new LineCounter()
  let node: unknown = parseDocument(content.text, { lineCounter: lines, logLevel: 'silent' }).contents
  let line: number | undefined
  for (const key of keys) {
    if (!isMap(node)) break
    const pair = node.items.find(item => isScalar(item.key) && String(item.key.value) === key)
    if (!pair || !isScalar(pair.key)) break
    line = pair.key.range ? lines.linePos(pair.key.range[0]).line : line
    node = pair.value
  }
  return line
}

/** The line at which a file stops to be readable; 1 where it does not. */
export function slipIn(file: string): number {
  const content = readConfigFile(file)
  const text = 'text' in content ? content.text : ''
  const lines = new LineCounter()
  const { errors } = parseDocument(text, { lineCounter: lines, logLevel: 'silent', prettyErrors: false })
  return errors[0] ? lines.linePos(errors[0].pos[0]).line : 1
}
