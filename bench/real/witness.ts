/** Stands before a real server and writes down what is asked of it; what comes and goes is passed on as it is. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Tiktoken } from 'js-tiktoken/lite'
import cl100k from 'js-tiktoken/ranks/cl100k_base'
import { inChatWords } from '../chat-words.ts'
import { clock } from '../measure.ts'

/** A request for words. Times in milliseconds of `clock`; those of what has not come yet are NaN. */
export interface Testimony {
  path: string
  at: number
  firstAt: number
  endAt: number
  body: Asked
  answer: string
}

/** What is looked at in a body. */
export interface Asked {
  messages?: { role: string; content: string }[]
  options?: { num_predict?: number }
}

export interface Witness {
  host: string
  readonly asked: readonly Testimony[]
  /** Resolves when so many requests have come and are over. */
  over(count: number): Promise<void>
  /** What is asked from now on is written down anew. */
  forget(): void
  close(): void
}

const isForWords = (path: string) => /\/(chat|completions|responses)$/.test(path)

export async function openWitness(upstream: string): Promise<Witness> {
  let asked: Testimony[] = []
  let heard: (() => void)[] = []
  const agent = new http.Agent({ keepAlive: true })

  const server = http.createServer((request, response) => {
    const { method = '', url = '', headers } = request
    const at = clock()
    const question: Buffer[] = []
    const entry: Testimony = { path: url, at, firstAt: Number.NaN, endAt: Number.NaN, body: {}, answer: '' }
    const on = http.request(upstream + url, {
      method,
      agent,
      headers: { ...headers, host: new URL(upstream).host },
    })
    on.on('response', answer => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.on('data', piece => {
        if (Number.isNaN(entry.firstAt)) entry.firstAt = clock()
        entry.answer += piece
        response.write(piece)
      })
      answer.on('end', () => response.end())
    })
    on.on('error', () => response.destroy())
    response.on('close', () => {
      on.destroy()
      entry.endAt = clock()
      for (const hear of heard.splice(0)) hear()
    })
    request.on('data', piece => {
      question.push(piece)
      on.write(piece)
    })
    request.on('end', () => {
      on.end()
      if (!isForWords(url)) return
      entry.body = JSON.parse(Buffer.concat(question).toString())
      asked.push(entry)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  return {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked
    },
    async over(count) {
      while (asked.filter(({ endAt }) => endAt > 0).length < count) {
        await new Promise<void>(resolve => heard.push(resolve))
      }
    },
    forget() {
      asked = []
      heard = []
    },
    close() {
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** What the server tells at the end of an answer: tokens of the prompt, milliseconds of reading it, tokens written. */
export function metricsOf({ answer }: Testimony): { prompt: number; reading: number; written: number } {
  const { prompt_eval_count, prompt_eval_duration, eval_count } = JSON.parse(
    answer.trim().split('\n').at(-1) ?? '{}',
  )
  return {
    prompt: prompt_eval_count ?? 0,
    reading: (prompt_eval_duration ?? 0) / 1e6,
    written: eval_count ?? 0,
  }
}

/**
 * Tokens that the server had to read of each request, one after the other: what follows the longest beginning that the
 * one before it, with its answer, has too. The server renders the prompts itself; calls, which it renders anew, count as
 * read.
 */
export async function readsOf(upstream: string, asked: readonly Testimony[]): Promise<number[]> {
  const encoding = new Tiktoken(cl100k)
  const reads: number[] = []
  let held = ''
  for (const { path, body, answer } of asked) {
    const prompt = await rendered(upstream, inChatWords(path, body))
    let same = 0
    while (same < Math.min(held.length, prompt.length) && held[same] === prompt[same]) same++
    const parts = prompt.slice(same).split(/<\|[^|<>]+\|>/)
    reads.push(parts.reduce((sum, part) => sum + encoding.encode(part, [], []).length, parts.length - 1))
    held = prompt + wordsIn(answer)
  }
  return reads
}

async function rendered(upstream: string, body: object): Promise<string> {
  const answer = await fetch(`${upstream}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ ...body, stream: false, _debug_render_only: true }),
  })
  const { _debug_info } = (await answer.json()) as { _debug_info?: { rendered_template?: string } }
  if (_debug_info?.rendered_template === undefined)
    throw new Error('the server does not show what it renders')
  return _debug_info.rendered_template
}

/** Tokens of an answer, in whichever words the server tells them. */
export function writtenIn({ answer }: Testimony): number {
  const told = answer.match(/"(?:eval_count|completion_tokens|output_tokens)":(\d+)/g)?.at(-1)
  return Number(told?.split(':')[1] ?? 0)
}

function wordsIn(answer: string): string {
  const lines = answer.split('\n').filter(line => line.startsWith('{') && line.endsWith('}'))
  return lines.map(line => JSON.parse(line).message?.content ?? '').join('')
}
