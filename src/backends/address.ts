/** What a server's address, whole as a URL, says about the way to it. Nothing is looked up. */

/** The address as people are told it: without credentials. */
export function shownHost(host: string): string {
  return host.replace(/^(\w+:\/\/)[^/]*@/, '$1')
}

/** Whether a server is on this machine or in the local network, by its name alone. */
export function isNear(host: string): boolean {
  const name = addressOf(host)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  if (/^[\d.]+$/.test(name)) return NEAR_IPV4.test(name)
  if (name.includes(':')) return NEAR_IPV6.test(name)
  return /^[a-z0-9-]+$/i.test(name) || /\.(local|lan|home|internal|localhost)$/i.test(name)
}

/** Whether a server is on this machine. */
export const isHere = (host: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(addressOf(host)?.hostname ?? '')

/** Whether everybody on the way could read the conversation: a server far away, without TLS. */
export const isOverheard = (host: string): boolean => addressOf(host)?.protocol === 'http:' && !isNear(host)

/** This machine, private networks, those of one link and those that carriers and VPNs share. */
const NEAR_IPV4 =
  /^(127|10)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./
const NEAR_IPV6 = /^(::1$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i

const addressOf = (host: string): URL | undefined => (URL.canParse(host) ? new URL(host) : undefined)
