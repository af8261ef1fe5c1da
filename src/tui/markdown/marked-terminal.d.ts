/** What is used of marked-terminal 7.3.1, which has no types. */
declare module 'marked-terminal' {
  import type { MarkedExtension } from 'marked'

  type Paint = (text: string) => string

  export interface TerminalOptions {
    html?: Paint
    heading?: Paint
    firstHeading?: Paint
    hr?: Paint
    paragraph?: Paint
    strong?: Paint
    em?: Paint
    del?: Paint
    image?: (href: string, title: string | null, text: string) => string
    showSectionPrefix?: boolean
    unescape?: boolean
    emoji?: boolean
    reflowText?: boolean
  }

  export function markedTerminal(options: TerminalOptions): MarkedExtension
}
