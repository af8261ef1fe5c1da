/** Sets single values in a config file; everything else in it stays. Import it lazily: it loads yaml. */
import { parseDocument } from 'yaml'
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
      else document.setIn(path, document.createNode(value))
  } catch (error) {
    return told('config_file.unwritable', {
      file,
      problem: messageOf(error),
    })
  }
  return replace(file, document.toString(layout))
}
