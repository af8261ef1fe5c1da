/** Names of parameters that models know from other agents' tools, by the name that a tool may have. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  path: ['file_path', 'filepath', 'filename', 'file_name', 'file', 'directory', 'dir'],
  command: ['cmd', 'script'],
  content: ['contents', 'text', 'file_text'],
  old: ['old_string', 'old_str', 'old_text', 'oldText', 'search'],
  new: ['new_string', 'new_str', 'new_text', 'newText', 'replace', 'replacement'],
  all: ['replace_all', 'replaceAll'],
  pattern: ['query', 'regex'],
  glob: ['include'],
  ignore_case: ['ignoreCase', 'case_insensitive'],
}

/**
 * Arguments under the names that a tool has for them: what stands under another common name of a parameter that is
 * not given itself goes to it. `unknown`: keys that no parameter has.
 */
export function sortArguments(given: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const known: Record<string, unknown> = {}
  const unused = new Set(Object.keys(given))
  for (const name of names) {
    const key = [name, ...(OTHER_NAMES[name] ?? [])].find(key => unused.has(key) && given[key] !== null)
    if (key === undefined || (key !== name && names.includes(key))) continue
    known[name] = given[key]
    unused.delete(key)
  }
  return { known, unknown: [...unused].filter(key => !names.includes(key)) }
}

/** Whether a key names a parameter, by its own name or another common one. */
export const namesParameter = (key: string, names: readonly string[]): boolean =>
  names.some(name => name === key || OTHER_NAMES[name]?.includes(key))
