/** The built-in demo: as a server of its own (`gopi demo`), or alongside a conversation (`--demo`). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { isSea } from 'node:sea'
import { serveDemo } from '../demo/serve.ts'
import { RunError } from '../protocol/errors.ts'
import { told } from '../words/sayings/told.ts'
import type { DemoCommand } from './args.ts'
import { languageAnyway, reportsIn } from './reports.ts'

/** Tells `gopi demo` that it belongs to another gopi and ends with it. */
const childMark = 'GOPI_DEMO_CHILD'

/** The model's name in a demo: nobody should take it for a real one. */
export const demoModel = 'gopi-demo'

/** `gopi demo`: serves until Ctrl+C. */
export async function demoCommand({ port, prefill, decode, load }: DemoCommand): Promise<number> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  if (process.env[childMark]) process.stdin.on('end', () => stop.abort()).resume()
  const { demo: words } = await reportsIn(await languageAnyway({ kind: 'demo' }))
  await serveDemo(
    {
      ...(port !== undefined && { port }),
      ...(prefill !== undefined && { prefill }),
      ...(decode !== undefined && { decode }),
      ...(load !== undefined && { load }),
    },
    { stdout: process.stdout, signal: stop.signal, words },
  )
  return 0
}

/**
 * Starts the demo server as a process of its own, so that counting its tokens never holds up the client's loop.
 * It ends when this process does, however that ends.
 */
export async function startDemo(): Promise<{ host: string; stop(): void }> {
  // Where gopi is one executable, that is the program itself.
  const script = isSea() ? [] : [process.argv[1] ?? '']
  const child = spawn(process.execPath, [...script, 'demo', '--port', '0'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // Out of the terminal's reach: Ctrl+C is for the conversation.
    detached: true,
    env: { ...process.env, [childMark]: '1' },
  })
  const failed = () => {
    throw new RunError(told('internal.demo', {}))
  }
  const ended = once(child, 'exit').then(failed, failed)
  const host = new Promise<string>(resolve => {
    // Without a file descriptor left Node makes no streams, whatever its types say.
    if (!child.stdout) return
    createInterface({ input: child.stdout }).on('line', line => {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)
      if (address) resolve(address[0])
    })
  })
  const address = await Promise.race([host, ended])
  ended.catch(() => {})
  // The child must not keep this process alive: the child ends because this process does.
  child.unref()
  for (const stream of [child.stdout, child.stdin]) (stream as { unref?(): void } | null)?.unref?.()
  return { host: address, stop: () => child.kill() }
}
