import type { Words } from '../../words/words.ts'
import type { Part, Story } from './story-parts.ts'

/** A conversation as Markdown; what tools said is folded where a reader can fold. */
export function markdownOf({ title, about, parts }: Story, { doing }: Words): string {
  const said = doing.export
  const write = (part: Part): string => {
    switch (part.who) {
      case 'person':
        return `## ${said.person}\n\n${part.text}`
      case 'model':
        return part.text
      case 'tool': {
        const text = part.diff ?? part.output
        const head = `${part.failed ? '✗' : '✓'} ${part.name} ${part.subject}`.trim().replaceAll('<', '&lt;')
        return `<details><summary>${head.replaceAll('\n', ' ')}</summary>\n\n${fenced(text, part.diff === undefined ? '' : 'diff')}\n\n</details>`
      }
    }
  }
  return `${[`# ${title}`, about, ...parts.map(write)].join('\n\n')}\n`
}

/** A fence that is longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}
