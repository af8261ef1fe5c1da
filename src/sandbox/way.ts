/**
 * The way from a sandbox to the hosts that the person has named: a proxy in gopi, a bridge to it where the sandbox has a
 * network of its own, and what tells programs of it.
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { execPath } from 'node:process'
import { isSea } from 'node:sea'
import { type Named, readNamed } from '../net/hosts.ts'
import { findBash } from '../paths/program.ts'
import { makeTemporary } from '../paths/temporary.ts'
import { closeDescriptors } from '../text/close-descriptors.ts'
import { BRIDGE, bridge } from './bridge.ts'
import type { Gate } from './profile.ts'
import { createProxy } from './proxy.ts'

export interface Way {
  gate: Gate
  /** For the commands there. */
  env: Record<string, string>
  /** The program as it is started there. */
  wrap(program: readonly string[]): readonly string[]
  /** Hosts that were refused since this was last asked. */
  takeRefused(): string[]
  close(): Promise<void>
}

/** In a network of its own: above the ports that the system hands out by itself, and that people choose. */
const PORT = 61_128

/** Opens it. Rejects with what the system says. */
export async function openWay(hosts: readonly string[], { env }: { env: NodeJS.ProcessEnv }): Promise<Way> {
  const named = hosts.flatMap(host => readNamed(host) ?? [])
  const isBridged = process.platform !== 'darwin'
  // A port can be seen by everybody on the machine.
  const key = isBridged ? undefined : `gopi:${randomBytes(16).toString('hex')}`
  const directory = isBridged ? makeTemporary('net') : undefined
  const proxy = createProxy({ named, env, key })
  const clean = () => {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
  }
  const socket = path.join(directory ?? '', 'proxy')
  try {
    await proxy.listen(isBridged ? { path: socket } : { host: '127.0.0.1', port: 0 })
  } catch (error) {
    clean()
    throw error
  }
  const port = isBridged ? PORT : proxy.port()
  return {
    gate: { port, ...(directory !== undefined && { directory }) },
    env: environment(`http://${key === undefined ? '' : `${key}@`}127.0.0.1:${port}`, named),
    wrap: program =>
      isBridged ? bridged(program, { socket, port, bash: findBash(env) ?? 'bash' }) : program,
    takeRefused: () => proxy.takeRefused(),
    async close() {
      await proxy.close()
      clean()
    },
  }
}

/** What means the sandbox itself to a command in it, where nobody means the machine by it. */
const OWN = ['localhost', '127.0.0.1', '::1']

function environment(url: string, named: readonly Named[]): Record<string, string> {
  const meant = new Set(named.map(({ host }) => host))
  const proxied = Object.fromEntries(['http_proxy', 'https_proxy', 'all_proxy'].map(name => [name, url]))
  const all = { ...proxied, no_proxy: OWN.filter(host => !meant.has(host)).join(',') }
  const upper = Object.entries(all).map(([name, value]) => [name.toUpperCase(), value])
  // Node asks the variables only when it is told to.
  return { ...all, ...Object.fromEntries(upper), NODE_USE_ENV_PROXY: '1' }
}

/**
 * The program and arguments that start `program` behind a bridge. What gopi was given by whoever started it is closed before:
 * a command would find it with the bridge.
 */
const bridged = (
  program: readonly string[],
  { socket, port, bash }: { socket: string; port: number; bash: string },
): string[] => [
  ...[bash, '--noprofile', '--norc', '-c', `${closeDescriptors([3, 4])};exec "$@"`, 'bash', execPath],
  ...(isSea() ? [BRIDGE] : ['-e', `(${bridge})(require,process.argv.slice(1))`]),
  ...[socket, String(port), ...program],
]
