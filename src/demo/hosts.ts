/** Which Host headers a server on loopback answers to (Ollama's guard against DNS rebinding). */
import { isIP } from 'node:net'
import { hostname } from 'node:os'

export function isLocalName(header: string | undefined): boolean {
  const name = (header ?? '')
    .replace(/:\d*$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
  if (isIP(name)) return isLocalAddress(name)
  if (name === '' || name === 'localhost' || name === hostname().toLowerCase()) return true
  return /\.(localhost|local|internal)$/.test(name)
}

function isLocalAddress(ip: string): boolean {
  return /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|0\.0\.0\.0$|::1?$|f[cd])/.test(ip)
}
