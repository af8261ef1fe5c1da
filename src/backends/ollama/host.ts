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
