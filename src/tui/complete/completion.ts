/**
 * What is being typed and could be completed: a file after `@`, a command after `/`, and, when asked for, its argument
 * or a path. As values; what there is to choose from is looked up by the completer.
 */
import { beforeMention } from '../../text/mention.ts'

export type CompletionKind = 'file' | 'command' | 'argument' | 'path'

/** A word that could be completed, by offsets in the text. */
export interface Completable {
  readonly kind: CompletionKind
  /** What is typed of it. */
  readonly query: string
  readonly start: number
  readonly end: number
}

export interface CompletionItem {
  /** Takes the place of the query: a path, a command's name. */
  readonly value: string
  readonly detail?: string
  /** Offsets in `value` of what was found. */
  readonly places: readonly number[]
  /** A directory, or a command that expects more: typing goes on right after it. */
  readonly goesOn: boolean
}

export interface Completion extends Completable {
  readonly items: readonly CompletionItem[]
  /** Which of them is selected. */
  readonly at: number
  /** So many files are known so far, and more are to come. */
  readonly reading?: number
}

/** A change of the text. */
export interface Put {
  start: number
  end: number
  text: string
}

/** A file that is being named. */
const MENTION = new RegExp(String.raw`${beforeMention}@("[^"\n]*|[^\s@"]*)$`, 'u')

/**
 * What is at the caret. A path only if it was asked for: any word could be one. A word that the caret is in is
 * completed as a whole.
 */
export function completionAt(
  text: string,
  caret: number,
  { asked = false }: { asked?: boolean } = {},
): Completable | undefined {
  const before = text.slice(0, caret)
  const command = /^\/([a-z-]*)$/.exec(before)
  if (command) {
    return { kind: 'command', query: command[1] ?? '', start: 0, end: endOfWord(text, caret) }
  }
  const mention = MENTION.exec(before)?.[1]
  if (mention !== undefined) {
    const isQuoted = mention.startsWith('"')
    const query = isQuoted ? mention.slice(1) : mention
    const end = isQuoted ? caret : endOfWord(text, caret)
    return { kind: 'file', query, start: caret - mention.length - 1, end }
  }
  if (!asked) return undefined
  const [word = ''] = /(?:\\.|[^\s"'\\])*$/.exec(before) ?? []
  return { kind: 'path', query: word, start: caret - word.length, end: endOfWord(text, caret) }
}

function endOfWord(text: string, caret: number): number {
  return caret + (/^[^\s"]*/.exec(text.slice(caret))?.[0].length ?? 0)
}

/** What choosing an item does to the text. What is whole is followed by a space. */
export function putOf({ kind, start, end }: Completable, { value, goesOn }: CompletionItem): Put {
  const word = wordOf(kind, value)
  return { start, end, text: goesOn && kind !== 'command' ? word : `${word} ` }
}

function wordOf(kind: CompletionKind, value: string): string {
  if (kind === 'command') return `/${value}`
  if (kind === 'argument') return value
  if (kind === 'path') return value.replaceAll(/(?=[\s"'\\])/g, '\\')
  return /\s/.test(value) ? `@"${value}"` : `@${value}`
}

/** The selection a row up or down, going round. */
export function stepCompletion(completion: Completion, rows: -1 | 1): Completion {
  const { items, at } = completion
  return items.length === 0 ? completion : { ...completion, at: (at + rows + items.length) % items.length }
}
