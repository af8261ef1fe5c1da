/**
 * Hosts as a person names them and as a program asks for them, in one spelling: lower case, Punycode, no dot at the end,
 * addresses as the system writes them. What is compared is what is connected to.
 */
import { isIP } from 'node:net'

/** A host that is asked for. IPv6 without brackets. */
export interface Goal {
  host: string
  port: number
}

/** Hosts that are named: one, or all below it; at one port, or those of the web. */
export interface Named {
  host: string
  isBelow: boolean
  port: number | undefined
}

/** What a name without a port means. */
const WEB_PORTS = [80, 443]

/** `example.com`, `*.example.com`, `127.0.0.1:3000`, `[::1]:3000`. undefined: it names no hosts. */
export function readNamed(text: string): Named | undefined {
  const isBelow = text.startsWith('*.')
  const rest = isBelow ? text.slice(2) : text
  const parts = isIP(rest) === 6 ? { host: rest, port: undefined } : partsOf(rest)
  if (parts === undefined) return undefined
  // Nobody means all names of a country, and an address has none below it.
  if (isBelow && (isIP(parts.host) !== 0 || !parts.host.includes('.'))) return undefined
  return { ...parts, isBelow }
}

/** `host:port`, or with a `port` to fall back on `host`. undefined: it is neither. */
export function readGoal(text: string, fallback?: number): Goal | undefined {
  const parts = partsOf(text)
  const port = parts?.port ?? fallback
  return parts === undefined || port === undefined ? undefined : { host: parts.host, port }
}

/** Whether one of them names what is asked for. */
export const isNamed = (named: readonly Named[], goal: Goal): boolean =>
  named.some(
    ({ host, isBelow, port }) =>
      (isBelow ? goal.host.endsWith(`.${host}`) : goal.host === host) &&
      (port === undefined ? WEB_PORTS.includes(goal.port) : goal.port === port),
  )

/** As it is written: an IPv6 address in brackets. */
export const shownGoal = ({ host, port }: Goal): string => `${bracketed(host)}:${port}`
export const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host)

function partsOf(text: string): { host: string; port: number | undefined } | undefined {
  const [, written = '', digits] = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(text) ?? []
  const host = spelled(written)
  const port = digits === undefined ? undefined : Number(digits)
  return host === undefined || port === 0 || (port ?? 0) > 65_535 ? undefined : { host, port }
}

const NAME = /^(?=.{1,253}$)[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*$/

function spelled(written: string): string | undefined {
  // A URL would decode, cut or drop these.
  if (/[\s\p{C}%/\\?#@]/u.test(written) || !URL.canParse(`http://${written}/`)) return undefined
  const { hostname } = new URL(`http://${written}/`)
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  return isIP(host) !== 0 || NAME.test(host) ? host : undefined
}
