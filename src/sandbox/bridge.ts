/**
 * What runs in a sandbox whose network is empty: it listens there on 127.0.0.1 and leads to gopi's proxy, which listens on a
 * socket outside. It starts bash when it listens, has its pipes (five descriptors) for it, and ends with it.
 */

/** The first argument of the one-file executable that makes it this and nothing else. */
export const BRIDGE = '--bridge'

/** Knows nothing but what it is given: its text is all that Node gets of it. */
export function bridge(
  load: NodeJS.Require,
  [socket = '', port = '', program = '', ...args]: readonly string[],
): void {
  const { createServer, connect } = load('node:net') as typeof import('node:net')
  const { spawn } = load('node:child_process') as typeof import('node:child_process')
  const { closeSync } = load('node:fs') as typeof import('node:fs')
  const { constants } = load('node:os') as typeof import('node:os')
  // A `pkill node` means others.
  process.title = 'gopi-bridge'
  process.on('uncaughtException', () => {})
  const server = createServer({ allowHalfOpen: true }, inner => {
    const outer = connect({ path: socket, allowHalfOpen: true })
    inner.pipe(outer)
    outer.pipe(inner)
    inner.on('error', () => outer.destroy())
    outer.on('error', () => inner.destroy())
    inner.on('close', () => outer.destroy())
    outer.on('close', () => inner.end())
  })
  server.maxConnections = 256
  let isBegun = false
  const begin = () => {
    if (isBegun) return
    isBegun = true
    const child = spawn(program, args, { stdio: [0, 1, 2, 3, 4] })
    child.on('error', () => process.exit(127))
    child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)))
    for (const descriptor of [3, 4]) closeSync(descriptor)
  }
  // Without a way out bash is better than none.
  server.on('error', begin)
  server.listen(Number(port), '127.0.0.1', begin)
}
