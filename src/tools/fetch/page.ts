/** The readable part of a page as Markdown. No script runs and nothing is loaded for it. */
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import Turndown from 'turndown'

export interface Readable {
  title: string
  text: string
}

/** Characters that are taken apart: more would keep the screen waiting. */
const most = 500_000
/** Elements within elements; what is nested deeper was not made to be read, and its parsers call themselves as often. */
const deepest = 256

/** `url`: what links are relative to. */
export function readable(html: string, url: string): Readable {
  const beginning = html.slice(0, most)
  return isDeep(beginning) ? { title: '', text: withoutTags(beginning) } : taken(beginning, url)
}

/** Reckoned without a tree; tags that may stay open count as little as those that have no end. */
function isDeep(html: string): boolean {
  let depth = 0
  for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    if (MAY_STAY_OPEN.test(name)) continue
    depth = Math.max(0, depth + (end ? -1 : 1))
    if (depth > deepest) return true
  }
  return false
}

const MAY_STAY_OPEN =
  /^(?:p|li|dt|dd|t[rdh]|tbody|thead|tfoot|option|optgroup|colgroup|rp|rt|html|head|body|br|hr|img|input|meta|link|col|wbr|area|base|embed|source|track|path|circle|rect|line|g|use)$/i

function taken(html: string, url: string): Readable {
  const { document } = parseHTML(
    /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`,
  )
  const base = document.createElement('base')
  base.setAttribute('href', url)
  document.head?.prepend(base)
  const title = document.title?.trim() ?? ''
  for (const node of document.querySelectorAll(
    'script, style, noscript, template, svg, iframe, object, embed',
  ))
    node.remove()
  for (const link of document.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? ''
    if (URL.canParse(href, url)) link.setAttribute('href', new URL(href, url).href)
  }
  const whole = document.body?.innerHTML ?? html
  const article = new Readability(document as unknown as ConstructorParameters<typeof Readability>[0], {
    charThreshold: 200,
  }).parse()
  const main = markdown(article?.content ?? '')
  // Lists of links and short pages are all navigation to it.
  const text = main.length < 200 ? markdown(whole) : main
  return { title: article?.title || title, text }
}

function markdown(html: string): string {
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`)
  const writer = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  writer.remove(['form', 'button', 'input', 'select', 'textarea', 'img'])
  let parent: Parent = document.body as unknown as Parent
  while (parent.childNodes.length === 1 && PLAIN.test(parent.firstElementChild?.nodeName ?? ''))
    parent = parent.firstElementChild ?? parent
  // Each piece is as long as turndown goes through it again and again.
  const nodes = [...parent.childNodes]
  const pieces: string[] = []
  while (nodes.length > 0) {
    const piece = document.createElement('div')
    piece.append(...(nodes.splice(0, together) as never[]))
    pieces.push(writer.turndown(piece))
  }
  return pieces
    .filter(text => text !== '')
    .join('\n\n')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

interface Parent {
  childNodes: ArrayLike<object> & Iterable<object>
  firstElementChild: (Parent & { nodeName: string }) | null
}

/** What is nothing by itself. */
const PLAIN = /^(?:div|article|section|main|table|tbody)$/i
/** Nodes that are written in one go. */
const together = 200

const withoutTags = (html: string): string =>
  html
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .trim()
