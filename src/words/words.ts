/** Every word that a face says by itself, in one person's language. What a model or a tool says is not among them. */

export interface Words {
  /** Lines out of sight. */
  moreLines(lines: number): string
}
