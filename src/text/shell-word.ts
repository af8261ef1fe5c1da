/** One word of shell text, whatever is in it but NUL. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
