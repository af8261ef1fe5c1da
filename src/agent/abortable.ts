/**
 * The promise, or the end of waiting for it: rejects with the signal's reason when that fires, `patience` ms later to give
 * what was promised time to end by itself. What comes after that is ignored.
 */
export async function abortable<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  { patience = 0 }: { patience?: number } = {},
): Promise<T> {
  let stop = () => {}
  let timer: NodeJS.Timeout | undefined
  const aborted = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason)
    stop = () => {
      if (patience > 0) timer = setTimeout(end, patience)
      else end()
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(timer)
  }
}

/** A controller that also fires when a signal does, until it is released. */
export interface Following {
  controller: AbortController
  release(): void
}

/** `AbortSignal.any` for one signal, many times as fast: the loop needs several each turn. */
export function follow(signal: AbortSignal): Following {
  const controller = new AbortController()
  const fire = () => controller.abort(signal.reason)
  if (signal.aborted) fire()
  else signal.addEventListener('abort', fire, { once: true })
  return { controller, release: () => signal.removeEventListener('abort', fire) }
}
