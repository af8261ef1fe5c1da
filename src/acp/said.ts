/** What an editor sends as a prompt: words, and what it puts beside them, as the session takes it. */
import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContentBlock, ResourceLink, TextResourceContents } from '@agentclientprotocol/sdk'
import { type MentionedFile, withFiles } from '../context/mentions.ts'
import { maskSecrets } from '../text/secrets.ts'
import { shownPath } from './paths.ts'

export interface Spoken {
  /** For the model: what the editor put beside the words stands before them. */
  text: string
  /** As the person said it; files that are to be read are named with `@`. */
  typed: string
  /** Base64. */
  images: string[]
  /** Names of what no model can be shown. */
  leftOut: string[]
}

export interface Listening {
  /** The session's directory, and how the editor calls it. */
  cwd: string
  base: string
  /** What the editor has of a file (a real path); undefined: it does not tell. */
  held(real: string): Promise<string | undefined>
}

export async function spoken(blocks: readonly ContentBlock[], listening: Listening): Promise<Spoken> {
  const beside: MentionedFile[] = []
  const images: string[] = []
  const leftOut: string[] = []
  const words: string[] = []
  for (const block of blocks) {
    if (block.type === 'text') words.push(block.text)
    else if (block.type === 'image') images.push(block.data)
    else if (block.type === 'resource_link') words.push(apart(linked(block, listening)))
    else if (block.type === 'resource' && 'text' in block.resource)
      words.push(apart(await embedded(block.resource, beside, listening)))
    else if (block.type === 'resource' && 'blob' in block.resource && isImage(block.resource.mimeType))
      images.push(block.resource.blob)
    else leftOut.push(block.type === 'resource' ? block.resource.uri : block.type)
  }
  const typed = words.join('').trim()
  return { text: withFiles(typed, beside), typed, images, leftOut }
}

const isImage = (type: string | null | undefined): boolean => /^image\//.test(type ?? '')
/** A mention is a word of its own. */
const apart = (word: string): string => ` ${word} `

/** A file is read by the session; what is elsewhere is named only. */
function linked({ uri, name }: ResourceLink, { cwd, base }: Listening): string {
  const file = fileIn(uri)
  const isDirectory = file && statSync(file.path, { throwIfNoEntry: false })?.isDirectory() === true
  const shown = file && shownPath(file.path, { cwd, base })
  const mention = file && mentionOf({ ...file, path: isDirectory ? `${shown}/` : (shown ?? '') })
  return mention ?? `[${name}](${uri})`
}

/**
 * What the editor shows of a file is what the model is shown. A whole file that is as it is on disk is read by the
 * session, which then knows that the model has seen it.
 */
async function embedded(
  { uri, text }: TextResourceContents,
  beside: MentionedFile[],
  listening: Listening,
): Promise<string> {
  const file = fileIn(uri)
  const shown = file ? shownPath(file.path, listening) : uri
  if (file && !file.lines && (await isAsHeld(path.resolve(listening.cwd, shown), text, listening))) {
    const mention = mentionOf({ path: shown })
    if (mention !== undefined) return mention
  }
  const name = file?.lines ? `${shown}:${file.lines}` : shown
  beside.push({ path: name.replaceAll(/[\n"]/g, ' '), text: maskSecrets(text.replace(/\n$/, '')) })
  return name
}

async function isAsHeld(real: string, text: string, { held }: Listening): Promise<boolean> {
  const now = (await held(real)) ?? (await readFile(real, 'utf8').catch(() => undefined))
  return now !== undefined && bare(now) === bare(text)
}

const bare = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n$/, '')

interface Place {
  path: string
  /** `10-40` */
  lines?: string
}

/** undefined: it is no file. */
function fileIn(uri: string): Place | undefined {
  if (!uri.startsWith('file://')) return undefined
  try {
    const { hash, search } = new URL(uri)
    const [, from, to = from] = /(?:#L|[?&#]line=)(\d+)(?:(?:[-:]L?|,)(\d+))?/.exec(search + hash) ?? []
    const file = fileURLToPath(uri.replace(/[?#].*$/, ''))
    return { path: file, ...(from !== undefined && { lines: `${from}-${to}` }) }
  } catch {
    return undefined
  }
}

/** undefined: no word can name it. */
function mentionOf({ path: file, lines }: Place): string | undefined {
  const whole = lines === undefined ? file : `${file}:${lines}`
  if (/["\n]/.test(whole)) return undefined
  return /[\s']|[.,;:!?)\]}>]$/.test(whole) ? `@"${whole}"` : `@${whole}`
}
