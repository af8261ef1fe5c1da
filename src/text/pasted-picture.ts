/** What terminals paste for a picture that is dropped on them or copied as a file: its path, quoted in their own way. */

/** The mention of the picture that is all of a pasted text; undefined: it is something else. */
export function pastedPicture(text: string): string | undefined {
  const line = text.trim()
  if (line.includes('\n') || line.length > 4096) return undefined
  const [, quoted] = /^(?:'([^']*)'|"([^"]*)")$/.exec(line)?.filter(part => part !== undefined) ?? []
  const path =
    quoted ?? (line.startsWith('file://') ? decoded(line.slice('file://'.length)) : unescaped(line))
  if (path === undefined || !/^(?:\/[^/]|~\/).*\.(?:png|jpe?g|webp|gif)$/i.test(path) || path.includes('"'))
    return undefined
  return /\s/.test(path) ? `@"${path}" ` : `@${path} `
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** A blank that nothing escapes stands between two words. */
const unescaped = (line: string): string | undefined =>
  /(?<!\\)\s/.test(line) ? undefined : line.replace(/\\(.)/g, '$1')
