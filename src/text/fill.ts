/**
 * Prompts are Markdown with `{{name}}` holes, filled strictly: a hole without a value and a value without a hole are
 * both mistakes of ours. The build checks every prompt's holes, so a typo never reaches a model.
 */
export function fill(template: string, values: Record<string, string | number>): string {
  const unused = new Set(Object.keys(values))
  const text = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`prompt has {{${name}}}, which nothing fills`)
    unused.delete(name)
    return String(value)
  })
  if (unused.size > 0) throw new Error(`prompt has no place for ${[...unused].join(', ')}`)
  return text
}

/** Splits a prompt file into its `# name` sections, each trimmed. */
export function sections<Name extends string>(
  markdown: string,
  names: readonly Name[],
): Record<Name, string> {
  const found = new Map<string, string>()
  for (const part of markdown.split(/^# /m).slice(1)) {
    const end = part.indexOf('\n')
    found.set(part.slice(0, end).trim(), part.slice(end).trim())
  }
  const result = {} as Record<Name, string>
  for (const name of names) {
    const text = found.get(name)
    if (text === undefined) throw new Error(`prompt has no section "${name}"`)
    result[name] = text
  }
  return result
}
