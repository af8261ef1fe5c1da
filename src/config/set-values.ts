/** Sets single values in a config file; everything else in it stays. Import it lazily: it loads yaml. */
import { type Document, isMap, parseDocument } from 'yaml'
import type { Told } from '../protocol/sayings.ts'
import { messageOf } from '../text/message-of.ts'
import { told } from '../words/sayings/told.ts'
import { layout, replace } from './add-rules.ts'
import { readConfigFile } from './file.ts'

/** `undefined` takes the key away. → why nothing was written: the file is no YAML, or cannot be written. */
export function setValues(
  file: string,
  values: readonly [path: readonly string[], value: unknown][],
): Told | undefined {
  const content = readConfigFile(file)
  if ('problem' in content) return content.problem
  const document = parseDocument('text' in content ? content.text : '', { logLevel: 'error' })
  try {
    if (document.errors.length > 0) throw document.errors[0]
    for (const [path, value] of values)
      if (value === undefined) document.deleteIn(path)
      else {
        unfold(document, path)
        document.setIn(path, document.createNode(value))
      }
  } catch (error) {
    return told('config_file.unwritable', {
      file,
      problem: messageOf(error),
    })
  }
  return replace(file, document.toString(layout))
}

/** What comes to stand in an empty `{}` would stand on one line. */
function unfold(document: Document, path: readonly string[]): void {
  for (const [length] of path.entries()) {
    const node = document.getIn(path.slice(0, length), true)
    if (isMap(node) && node.items.length === 0) node.flow = false
  }
}

/** Whether the file has a value at the path. */
export function holds(file: string, path: readonly string[]): boolean {
  const content = readConfigFile(file)
  return 'text' in content && parseDocument(content.text, { logLevel: 'silent' }).hasIn(path)
}
