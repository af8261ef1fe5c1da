/** The head of a Markdown file, between two lines of `---`: the one reader for skills and commands. It loads yaml. */
import { isMap, LineCounter, parseDocument } from 'yaml'
import { readConfigFile } from '../../config/file.ts'
import type { Told } from '../../protocol/sayings.ts'
import { withoutHidden } from '../../text/sanitize.ts'
import { told } from '../../words/sayings/told.ts'

export interface Headed {
  /** Empty without a head. */
  head: Readonly<Record<string, unknown>>
  /** What comes after it, trimmed. */
  body: string
  /** The line of a field, for a sentence about it. */
  lineOf(field: string): number
}

/** The file, or why it cannot be used: one sentence with the file and, where there is one, the line. */
export function readHeaded(file: string): Headed | { problem: Told } {
  const content = readConfigFile(file)
  if ('problem' in content) return content
  if ('absent' in content) return { problem: told('kit_file.gone', { file }) }
  const text = withoutHidden(content.text).replace(/^\uFEFF/, '')
  const [whole = '', yaml] = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(text) ?? []
  if (yaml === undefined && /^---[ \t]*\r?\n/.test(text)) return { problem: told('kit_file.open', { file }) }
  const read = readYaml(yaml ?? '')
  if ('wrong' in read)
    return { problem: told('kit_file.yaml', { file, line: read.line + 1, problem: read.wrong }) }
  return { head: read.head, body: text.slice(whole.length).trim(), lineOf: field => read.lineOf(field) + 1 }
}

type Yaml = { head: Record<string, unknown>; lineOf(field: string): number } | { wrong: string; line: number }

/** As people write heads: where it is no YAML, a field's value is the rest of its line. */
function readYaml(yaml: string): Yaml {
  const strict = parsed(yaml)
  if (!('wrong' in strict)) return strict
  const loose = yaml.replace(
    /^([\w-]+):[ \t]+([^\s"'|>][^\n]*)$/gm,
    (_, name, value) => `${name}: ${JSON.stringify(value)}`,
  )
  const again = parsed(loose)
  return 'wrong' in again ? strict : again
}

function parsed(yaml: string): Yaml {
  const lines = new LineCounter()
  try {
    const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false })
    const [slip] = document.errors
    if (slip) return { wrong: slip.message, line: lines.linePos(slip.pos[0]).line }
    const head: unknown = document.toJS({ maxAliasCount: 20 }) ?? {}
    if (typeof head !== 'object' || head === null || Array.isArray(head))
      return { wrong: 'expected fields such as description: TEXT', line: 1 }
    const { contents } = document
    const lineOf = (field: string) => {
      const pair = isMap(contents) ? contents.items.find(item => String(item.key) === field) : undefined
      const [offset = 0] = (pair?.key as { range?: [number] } | undefined)?.range ?? []
      return lines.linePos(offset).line
    }
    return { head: head as Record<string, unknown>, lineOf }
  } catch (error) {
    // Aliases that multiply, nesting that exhausts the stack: the parser throws instead of reporting.
    return { wrong: (error as Error).message, line: 1 }
  }
}

/** A list as heads have it: of words, or a text with commas or spaces outside brackets. undefined: neither. */
export function listIn(value: unknown): string[] | undefined {
  if (Array.isArray(value)) return value.every(one => typeof one === 'string') ? value : undefined
  if (typeof value !== 'string') return undefined
  return (value.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? []).map(one => one.trim())
}

/** The first paragraph that is no heading, in one line. */
export const firstParagraph = (body: string): string =>
  oneLine(body.split(/\n\s*\n/).find(part => part.trim() !== '' && !/^\s*#[^\n]*$/.test(part)) ?? '')

export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
