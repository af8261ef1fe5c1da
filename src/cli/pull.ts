/** Getting a model onto the server, before the eyes of a person who may stop it. */
import type { Backend, Pulling } from '../backends/backend.ts'
import { RunError } from '../protocol/errors.ts'
import { explain } from '../words/explain.ts'
import type { GuideOptions } from './guide.ts'

/** Milliseconds over which the speed is taken: a connection that stands still is seen within them. */
const WINDOW = 5000
/** Before so many have passed, nothing is said of the speed. */
const SHORTEST = 500

/** Until it is there, or was stopped, or failed; what became of it has been said. */
export async function pull(
  backend: Backend,
  model: string,
  { desk, words, setup }: Pick<GuideOptions, 'desk' | 'words' | 'setup'>,
): Promise<void> {
  desk.say(setup.pulling(model))
  const pace = paceOf()
  let wasStopped = false
  try {
    await desk.interruptible(async signal => {
      signal.addEventListener('abort', () => {
        wasStopped = true
      })
      for await (const step of backend.pull?.(model, { signal }) ?? []) {
        const { status, total, completed = 0 } = step
        if (total === undefined) {
          desk.progress(status)
          continue
        }
        const speed = pace(step, performance.now())
        const left = speed ? words.time(Math.ceil((total - completed) / speed) * 1000) : undefined
        const news = speed === 0 ? setup.still : setup.speed(speed, left)
        desk.progress(`${bar(completed / total)}  ${setup.progress(completed, total)}${news}`)
      }
    })
  } catch (error) {
    if (wasStopped) desk.say(setup.stopped)
    else if (error instanceof RunError) desk.say(explain(words, error))
    else throw error
  }
}

/** Bytes a second, of late. Another part of the model begins anew; undefined: too early to say. */
export function paceOf(): (step: Pulling, now: number) => number | undefined {
  let part: string | undefined
  let seen: { at: number; bytes: number }[] = []
  return ({ status, completed = 0 }, now) => {
    if (status !== part) seen = []
    part = status
    seen.push({ at: now, bytes: completed })
    while ((seen[1]?.at ?? now) <= now - WINDOW) seen.shift()
    const [first = { at: now, bytes: completed }] = seen
    // A part that failed is taken back.
    const come = Math.max(0, completed - first.bytes)
    return now - first.at < (come === 0 ? WINDOW / 2 : SHORTEST)
      ? undefined
      : (come * 1000) / (now - first.at)
  }
}

const bar = (share: number): string => {
  const full = Math.round(Math.min(1, share) * 20)
  return `${'█'.repeat(full)}${'░'.repeat(20 - full)} ${Math.floor(share * 100)} %`
}
