/** The built-in demo: as a server of its own (`gopi demo`), or beside a conversation (`--demo`). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { serveDemo } from '../demo/serve.ts'
import { RunError } from '../protocol/errors.ts'
import type { DemoCommand } from './args.ts'

/** Tells `gopi demo` that it belongs to another gopi and ends with it. */
const childMark = 'GOPI_DEMO_CHILD'

/** The model's name in a demo: nobody should take it for a real one. */
export const demoModel = 'gopi-demo'

/** `gopi demo`: serves until Ctrl+C. */
export async function demoCommand({ port, prefill, decode, load }: DemoCommand): Promise<number> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  if (process.env[childMark]) process.stdin.on('end', () => stop.abort()).resume()
  await serveDemo(
    {
      ...(port !== undefined && { port }),
      ...(prefill !== undefined && { prefill }),
      ...(decode !== undefined && { decode }),
      ...(load !== undefined && { load }),
    },
    { stdout: process.stdout, signal: stop.signal },
  )
  return 0
}

/**
 * Starts the demo server as a process of its own, so that counting its tokens never holds up the client's loop.
 * It ends when this process does, however that ends.
 */
export async function startDemo(): Promise<{ host: string; stop(): void }> {
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'demo', '--port', '0'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // Out of the terminal's reach: Ctrl+C is for the conversation.
    detached: true,
    env: { ...process.env, [childMark]: '1' },
  })
  const lines = createInterface({ input: child.stdout })
  const host = new Promise<string>(resolve => {
    lines.on('line', line => {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)
      if (address) resolve(address[0])
    })
  })
  const ended = once(child, 'exit').then(() => {
    throw new RunError('internal', 'The demo server did not start; `gopi demo` shows why.')
  })
  const address = await Promise.race([host, ended])
  ended.catch(() => {})
  // Nothing of the child may keep this process alive: its end is what ends the child.
  child.unref()
  for (const stream of [child.stdout, child.stdin]) (stream as { unref?(): void } | null)?.unref?.()
  return { host: address, stop: () => child.kill() }
}
