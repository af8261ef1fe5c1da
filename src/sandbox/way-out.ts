/** How the person's own programs get out: straight ahead, or through the proxy that their environment names. */
import { isIP } from 'node:net'
import type { Goal } from '../net/hosts.ts'

/** The URL of the proxy; undefined: there is none for this. Throws for one that is no HTTP proxy. */
export function wayOut(kind: 'http' | 'https', goal: Goal, env: NodeJS.ProcessEnv): string | undefined {
  const of = (name: string) => env[name] || env[name.toUpperCase()] || undefined
  const given = of(`${kind}_proxy`) ?? of('all_proxy')
  if (given === undefined || isExcepted(goal, of('no_proxy') ?? '')) return undefined
  const url = given.includes('://') ? given : `http://${given}`
  if (!url.startsWith('http://') || !URL.canParse(url))
    throw new Error('the proxy of the environment is none that gopi can go through (http://HOST:PORT)')
  return url
}

/** Nobody asks a proxy for this machine; what else is excepted the list says, as curl and others read it. */
function isExcepted(goal: Goal, list: string): boolean {
  if (
    goal.host === 'localhost' ||
    goal.host === '::1' ||
    (isIP(goal.host) === 4 && goal.host.startsWith('127.'))
  )
    return true
  return list.split(/[\s,]+/).some(entry => {
    if (entry === '*') return true
    const [, name = entry, port = String(goal.port)] =
      /^(.*[^:]):(\d+)$/.exec(isIP(entry) === 0 ? entry : '') ?? []
    const host = name.toLowerCase().replace(/^\*?\.|[[\]]/g, '')
    const isMeant = host !== '' && (goal.host === host || goal.host.endsWith(`.${host}`))
    return isMeant && port === String(goal.port)
  })
}
