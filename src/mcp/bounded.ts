/** A `fetch` whose answers end: of one message, or of one event of a stream, no more than so many bytes are read. */

export function boundedFetch(most: number): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (!response.body) return response
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true
    let bytes = 0
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          // Between two events there is an empty line; a chunk with a line's end is near enough.
          const end = isStream ? chunk.lastIndexOf(10) : -1
          bytes = end < 0 ? bytes + chunk.length : chunk.length - end
          if (bytes > most) throw new Error(`it sent more than ${most / 1024 / 1024} MB in one message`)
          controller.enqueue(chunk)
        },
      }),
    )
    const { status, statusText, headers } = response
    const answer = new Response(bounded, { status, statusText, headers })
    // The redirect check of the client's transport looks at it.
    Object.defineProperty(answer, 'url', { value: response.url })
    Object.defineProperty(answer, 'redirected', { value: response.redirected })
    return answer
  }
}
