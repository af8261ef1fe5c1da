/** Names, looked up for the addresses that may be connected to and for no others. */
import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/**
 * What a name means is checked on the very addresses that are connected to. `allows`: whether an address may be;
 * `refusal`: the error for a name that has none. `lookup` default: the system's.
 */
export function guardedLookup(
  allows: (address: string) => boolean,
  {
    refusal,
    lookup = systemLookup,
  }: { refusal(host: string): Error; lookup?: typeof systemLookup | undefined },
): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      const open = found.filter(({ address }) => allows(address))
      const [first] = open
      if (!first) return done(refusal(host), '')
      if (options.all) done(null, open)
      else done(null, first.address, first.family)
    })
  }
}
