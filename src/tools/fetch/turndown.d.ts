/** What is used of turndown 7.2.4, which has no types. */
declare module 'turndown' {
  export default class Turndown {
    constructor(options: { headingStyle: 'atx'; codeBlockStyle: 'fenced'; bulletListMarker: '-' })
    remove(tags: readonly string[]): this
    /** A node of a document. */
    turndown(node: object): string
  }
}
