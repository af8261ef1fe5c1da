/** A tool's call as editors show it: what kind it is, where it works, what it changed and what it wrote. */
import path from 'node:path'
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk'
import { fieldsOf } from '../text/record.ts'
import { reveal, sanitize } from '../text/sanitize.ts'
import { subjectOf, type ToolWords } from '../text/tool-line.ts'
import type { Preview } from '../tools/tool.ts'

/** Bytes of a result that an editor is sent; the model may have more. */
const MOST_TEXT = 16 * 1024

const KINDS: Readonly<Record<string, ToolKind>> = {
  ...{ read: 'read', edit: 'edit', write: 'edit', bash: 'execute', background: 'execute' },
  ...{ grep: 'search', find: 'search', ls: 'search', fetch: 'fetch', todo: 'think', task: 'think' },
}

export const kindOf = (name: string): ToolKind => KINDS[name] ?? 'other'

/** Of a command the command alone: an editor shows that it is one. */
export function titleOf(name: string, args: Record<string, unknown>, words: ToolWords): string {
  const subject = reveal(sanitize(subjectOf(args, words)))
  return subject === '' ? name : kindOf(name) === 'execute' ? subject : `${name} ${subject}`
}

/** `base`: the session's directory, as the editor calls it. */
export function locationsOf(args: Record<string, unknown>, base: string): ToolCallLocation[] {
  const { path: given, offset } = args
  if (typeof given !== 'string' || given === '') return []
  const line = typeof offset === 'number' && offset > 0 ? { line: offset } : {}
  return [{ path: path.resolve(base, given), ...line }]
}

export const textContent = (text: string): ToolCallContent => ({
  type: 'content',
  content: { type: 'text', text },
})

/** Text that is no Markdown. */
export function fenced(text: string, language = ''): ToolCallContent {
  const clean = sanitize(text).replace(/\n$/, '')
  const longest = Math.max(2, ...(clean.match(/`+/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(longest + 1)
  return textContent(`${fence}${language}\n${clean}\n${fence}`)
}

/** The end of a long text. */
export const tailOf = (text: string, most = MOST_TEXT): string =>
  text.length > most ? `…${text.slice(-most).replace(/^[\udc00-\udfff]/, '')}` : text

/** What a call would do, as it is shown before it is allowed. */
export function previewContent(preview: Preview, base: string): ToolCallContent[] {
  if (preview.type === 'command') return [fenced(reveal(preview.command), 'sh')]
  if (preview.type === 'text') return [fenced(reveal(preview.text))]
  return diffsIn(preview.diff, path.resolve(base, preview.path))
}

/** What came of a call. */
export function resultContent(
  {
    name,
    args,
    content,
    details,
  }: { name: string; args: Record<string, unknown>; content: string; details: unknown },
  base: string,
): ToolCallContent[] {
  const { diff, path: shown, created } = fieldsOf(details)
  if (typeof diff === 'string' && typeof shown === 'string') {
    const file = path.resolve(base, shown)
    if (created === true && typeof args.content === 'string')
      return [{ type: 'diff', path: file, oldText: null, newText: args.content }]
    const diffs = diffsIn(diff, file)
    if (diffs.length > 0) return diffs
  }
  if (kindOf(name) === 'think') return [textContent(sanitize(content))]
  return content.trim() === '' ? [] : [fenced(tailOf(content))]
}

/** Each hunk of a unified diff by itself, with the lines around it. */
function diffsIn(diff: string, file: string): ToolCallContent[] {
  const hunks = diff.split(/^@@[^\n]*\n/m).slice(1)
  return hunks.map(hunk => {
    const lines = hunk.replace(/\n$/, '').split('\n')
    return { type: 'diff' as const, path: file, oldText: side(lines, '-'), newText: side(lines, '+') }
  })
}

/** The line that a diff begins to change. */
export function firstLine(diff: unknown): number | undefined {
  const [, line] = typeof diff === 'string' ? (/^@@ -\d+(?:,\d+)? \+(\d+)/m.exec(diff) ?? []) : []
  return line === undefined ? undefined : Number(line)
}

/** One side of a hunk. What is said of a missing line end is about the line before it. */
function side(lines: readonly string[], sign: '-' | '+'): string {
  const own: string[] = []
  let isOwn = false
  let isUnended = false
  for (const line of lines) {
    if (line.startsWith('\\')) isUnended ||= isOwn
    else {
      isOwn = line === '' || line.startsWith(' ') || line.startsWith(sign)
      if (isOwn) own.push(line.slice(1))
    }
  }
  return own.length === 0 ? '' : `${own.join('\n')}${isUnended ? '' : '\n'}`
}
