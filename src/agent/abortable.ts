/**
 * The promise, or the end of waiting for it: rejects with the signal's reason when that fires, `patience` ms later where
 * what was promised may still end by itself. What comes after that is nobody's any more.
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
