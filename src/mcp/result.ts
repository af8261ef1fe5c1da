/** What a server answers, as text for the model: what is no text is named. */
import { fieldsOf } from '../text/record.ts'
import { head, size } from '../text/truncate.ts'

/** Room for what is said of the rest. */
const NOTICE = 120

/** A call's result. Never throws, whatever came. */
export function readResult(raw: unknown, budget: number): { output: string; is_error: boolean } {
  const { content, structuredContent, isError } = fieldsOf(raw)
  const parts = Array.isArray(content) ? content.map(shown) : []
  const text = parts.filter(part => part !== '').join('\n')
  const whole =
    text === '' && structuredContent !== undefined ? JSON.stringify(structuredContent, null, 1) : text
  return { output: whole === '' ? '(no output)' : bounded(whole, budget), is_error: isError === true }
}

/** What stands in a resource, as text. */
export function readContents(raw: unknown, budget: number): string {
  const contents = Array.isArray(raw) ? raw : []
  return bounded(contents.map(resource => shown({ type: 'resource', resource })).join('\n'), budget)
}

/** The words of a prompt, those of a second speaker named. */
export function readMessages(raw: unknown, budget: number): string {
  const messages = Array.isArray(raw) ? raw.map(fieldsOf) : []
  const mixed = messages.some(({ role }) => role !== 'user')
  const texts = messages.map(({ role, content }) => {
    const text = (Array.isArray(content) ? content : [content]).map(shown).join('\n')
    return mixed ? `${String(role)}: ${text}` : text
  })
  return bounded(texts.join('\n\n'), budget)
}

function shown(part: unknown): string {
  const { type, text, data, mimeType, uri, name, resource } = fieldsOf(part)
  if (type === 'text') return typeof text === 'string' ? text : ''
  const bytes = typeof data === 'string' ? `, ${size(Math.floor((data.length * 3) / 4))}` : ''
  if (type === 'resource_link') return `[resource ${String(name ?? '')}: ${String(uri)}]`
  if (type !== 'resource') return `[${String(type)}: ${String(mimeType ?? 'unknown')}${bytes}, not shown]`
  const inner = fieldsOf(resource)
  if (typeof inner.text === 'string') return inner.text
  const blob = typeof inner.blob === 'string' ? size(Math.floor((inner.blob.length * 3) / 4)) : 'nothing'
  return `[resource ${String(inner.uri)}: ${String(inner.mimeType ?? 'unknown')}, ${blob}, not shown]`
}

function bounded(text: string, budget: number): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= budget) return text
  const kept = head(text, Math.max(0, budget - NOTICE))
  return `${kept}${kept === '' || kept.endsWith('\n') ? '' : '\n'}Cut: there are ${size(bytes)} in all. Ask the tool for less.`
}
