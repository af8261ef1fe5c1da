/**
 * Replaces the global `performance` in the bundle (src/build.mjs). Node's loads its observers and histograms when it is
 * first touched, which costs a start a millisecond; all that gopi wants of it is a clock that never goes back.
 */
export const performance: Pick<typeof globalThis.performance, 'now' | 'timeOrigin'> = {
  now: () => process.uptime() * 1000,
  get timeOrigin() {
    return Date.now() - this.now()
  },
}
