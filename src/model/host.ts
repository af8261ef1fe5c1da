/**
 * The server's address by Ollama's own rules for OLLAMA_HOST (envconfig/config.go of ollama): the same variable
 * serves the server and every client, so gopi must read it exactly as they do.
 */

/**
 * The address to connect to, always with scheme, host and port and never with a trailing slash:
 * `resolveHost('0.0.0.0')` is `http://127.0.0.1:11434`. Credentials and a path are kept. A port that is none becomes
 * the default. Resolving an address twice changes nothing. Never throws.
 */
export function resolveHost(value: string | undefined): string {
  const text = (value ?? '').trim().replace(/^["']+|["']+$/g, '')
  if (text === 'ollama.com') return 'https://ollama.com:443'
  const [before, after] = cut(text, text.indexOf('://'), 3)
  const scheme = after === undefined ? undefined : before.toLowerCase()
  const rest = after ?? before
  const slash = rest.indexOf('/')
  const [login, place] = splitLogin(slash === -1 ? rest : rest.slice(0, slash))
  const path = slash === -1 ? '' : rest.slice(slash).replace(/\/+$/, '')
  const { name, port } = splitPort(place)
  const chosen = port !== undefined && isPort(port) ? port : defaultPort(scheme)
  return `${scheme === 'https' ? 'https' : 'http'}://${login}${reachable(name)}:${chosen}${path}`
}

/** The address as people are told it: without credentials. */
export function shownHost(host: string): string {
  return host.replace(/^(\w+:\/\/)[^/]*@/, '$1')
}

/** `text` before and after a separator of `length` at `index`; the second is undefined when there is none. */
function cut(text: string, index: number, length: number): [string, string | undefined] {
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + length)]
}

function splitLogin(authority: string): [login: string, place: string] {
  const end = authority.lastIndexOf('@') + 1
  return [authority.slice(0, end), authority.slice(end)]
}

function splitPort(place: string): { name: string; port: string | undefined } {
  if (place.startsWith('[')) {
    const [name, after = ''] = cut(place.slice(1), place.slice(1).indexOf(']'), 1)
    return { name, port: after.startsWith(':') ? after.slice(1) : undefined }
  }
  const [name, port] = cut(place, place.indexOf(':'), 1)
  // A second colon without brackets: an IPv6 address, which has no port then.
  return port?.includes(':') ? { name: place, port: undefined } : { name, port }
}

function isPort(port: string): boolean {
  return /^\d{1,5}$/.test(port) && Number(port) <= 65_535
}

function defaultPort(scheme: string | undefined): string {
  if (scheme === 'http') return '80'
  return scheme === 'https' ? '443' : '11434'
}

/** A server that listens on every address is reached on the loopback one. */
function reachable(name: string): string {
  if (name === '' || name === '0.0.0.0') return '127.0.0.1'
  if (name === '::') return '[::1]'
  return name.includes(':') ? `[${name}]` : name
}

/** Whether a server is on this machine or in the local network, by its name alone: nothing is looked up. */
export function isNear(host: string): boolean {
  const address = addressOf(host)
  const name = address?.hostname.replace(/^\[|\]$/g, '') ?? ''
  if (/^[\d.]+$/.test(name)) return NEAR_IPV4.test(name)
  if (name.includes(':')) return NEAR_IPV6.test(name)
  return /^[a-z0-9-]+$/i.test(name) || /\.(local|lan|home|internal|localhost)$/i.test(name)
}

/** Whether everybody on the way could read the conversation: a server far away, without TLS. */
export const isOverheard = (host: string): boolean => addressOf(host)?.protocol === 'http:' && !isNear(host)

/** This machine, private networks, those of one link and those that carriers and VPNs share. */
const NEAR_IPV4 =
  /^(127|10)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./
const NEAR_IPV6 = /^(::1$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i

function addressOf(host: string): URL | undefined {
  const address = resolveHost(host)
  return URL.canParse(address) ? new URL(address) : undefined
}
