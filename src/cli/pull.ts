/** Getting a model onto the server, before the eyes of a person who may stop it. */
import type { Backend } from '../backends/backend.ts'
import { RunError } from '../protocol/errors.ts'
import { explain } from '../words/explain.ts'
import type { SETUP_EN } from '../words/setup-en.ts'
import type { Words } from '../words/words.ts'
import type { Desk } from './desk.ts'
import { paceOf } from './pace.ts'

export interface PullOptions {
  desk: Desk
  words: Words
  setup: typeof SETUP_EN
}

/** Until it is there, or was stopped, or failed; what became of it has been said. */
export async function pull(
  backend: Backend,
  model: string,
  { desk, words, setup }: PullOptions,
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

const bar = (share: number): string => {
  const full = Math.round(Math.min(1, share) * 20)
  return `${'█'.repeat(full)}${'░'.repeat(20 - full)} ${Math.floor(share * 100)} %`
}
