/**
 * Files that the person names with `@` in what they type. Their text comes before the words: a draft with the same
 * files is then the beginning of the prompt, whatever is typed after it. Pure: nobody is asked whether a file exists.
 */
import type { UserMessage } from '../protocol/messages.ts'
import { beforeMention } from '../text/mention.ts'

/** The paths that a word may mean: the longest is the word itself, the others leave out what a sentence adds to it. */
export type Mention = readonly string[]

export interface MentionedFile {
  path: string
  /** As the model is to see it. */
  text: string
}

/** More are not looked for in one text: nobody types so many, and what is pasted may be full of `@Override`. */
const mostMentions = 200
/** Characters that a sentence puts after a name. */
const mostBehind = 4

const mention = new RegExp(String.raw`${beforeMention}@(?:"([^"\n]+)"|([^\s"@][^\s"]*))`, 'gu')
const behind = /(?:['’]s|[.,;:!?…'’”»)\]}>。，、；：！？）」])$/u
/** `//host/share` and `\\host\share`: to look at one sends the person's credentials there. */
const elsewhere = /^(?:\/\/|\\\\)/

/**
 * The files that may be meant, in the order of the text, each word once: `@path`, or `@"path with spaces"`. Whether it is
 * one only the disk knows: `@Override` looks the same.
 */
export function mentionsOf(text: string): Mention[] {
  const mentions = new Map<string, Mention>()
  for (const [, quoted, bare = ''] of text.matchAll(mention)) {
    const word = quoted ?? bare
    if (elsewhere.test(word) || mentions.has(word)) continue
    mentions.set(word, quoted === undefined ? readings(bare) : [quoted])
    if (mentions.size === mostMentions) break
  }
  return [...mentions.values()]
}

function readings(word: string): string[] {
  const found = [word]
  let rest = word
  while (found.length <= mostBehind && behind.test(rest)) {
    rest = rest.replace(behind, '')
    if (rest !== '') found.push(rest)
  }
  return found
}

/** The text with the files before it. */
export function withFiles(text: string, files: readonly MentionedFile[]): string {
  return files.map(({ path, text }) => block(path, text)).join('') + text
}

const block = (path: string, text: string): string => `<file path="${path}">\n${text}\n</file>\n\n`

/** Lines of a file are numbered: none of them looks like the end of its block. */
const blocks = /<file path="([^\n]*)">\n([\s\S]*?)\n<\/file>\n\n/gy

/** The files that come before the words of a message. */
export function filesIn({ content, seen = [] }: Pick<UserMessage, 'content' | 'seen'>): MentionedFile[] {
  if (seen.length === 0) return []
  // What looks like one in the words after them is the person's.
  const found = [...content.matchAll(blocks)].slice(0, seen.length)
  return found.map(([, path = '', text = '']) => ({ path, text }))
}

/** The content of a message with its files changed. */
export function changeFiles(
  message: Pick<UserMessage, 'content' | 'seen'>,
  change: (text: string) => string,
): string {
  const files = filesIn(message)
  const words = message.content.slice(withFiles('', files).length)
  return withFiles(
    words,
    files.map(({ path, text }) => ({ path, text: change(text) })),
  )
}
