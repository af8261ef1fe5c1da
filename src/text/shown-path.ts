/** A directory as a person knows it: their own as `~`. */
export function shownPath(directory: string, home: string | undefined): string {
  const isTheirs = home !== undefined && (directory === home || directory.startsWith(`${home}/`))
  return isTheirs ? `~${directory.slice(home.length)}` : directory
}
