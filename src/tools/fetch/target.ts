/** What a model may name as a page, and which host that is. */
import { ToolError } from '../../protocol/errors.ts'

/** Without a scheme it is https. Throws `ToolError` for what is no page of the web. */
export function targetOf(given: string): URL {
  const text = given.trim()
  if (/[\p{Cc}\p{Cf}\s\\]/u.test(text))
    throw new ToolError('fetch: the URL holds a blank, a control character or a backslash.')
  const [, scheme] = /^([a-z][a-z0-9+.-]*):(?!\d+(?:[/?#]|$))/i.exec(text) ?? []
  const written = scheme === undefined ? `https://${text}` : text
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    throw new ToolError(`fetch: only http and https pages can be fetched; came ${scheme}.`)
  return checked(written)
}

/** Where a redirect leads. */
export const redirected = (location: string, from: URL): URL => checked(location, from)

function checked(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined
  if (!url) throw new ToolError(`fetch: ${JSON.stringify(text)} is no URL.`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new ToolError(`fetch: it leads to ${url.protocol}, which is not fetched.`)
  if (url.username !== '' || url.password !== '')
    throw new ToolError('fetch: a URL with a name or password in it is not fetched.')
  url.hash = ''
  return url
}

/** The address that a host is, where it is no name. */
export const literal = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')
