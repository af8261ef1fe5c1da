/** One request in a runner: the prompt is fitted, read in a slot, answered by the scripted model. */

import { type Chunk, decode, type Ending, written } from './decode.ts'
import type { DemoRoom, Exchange } from './exchange.ts'
import type { Progress, Reply } from './reply.ts'
import { type ChatBody, HttpError } from './request.ts'
import type { Runner } from './runners.ts'
import { keep, measure, type Slot } from './slot.ts'
import type { ReplySink } from './stream.ts'
import { renderPrompt } from './template.ts'
import type { Tokenizer } from './tokens.ts'
import { startPace } from './wait.ts'

export interface Job extends Exchange {
  body: ChatBody
  sink: ReplySink
  think: boolean
  runner: Runner
  /** When the request was taken up (milliseconds of the fine clock). */
  arrived: number
}

/** Milliseconds. */
interface Spent {
  load: number
  prefill: number
}

export async function generate(room: DemoRoom, job: Job): Promise<void> {
  const { body, runner, log, signal } = job
  const tokenizer = await room.tokenizer()
  const prompt = fitPrompt(body, { tokenizer, context: runner.context })
  const load = performance.now() - job.arrived
  const known = (slot: Slot) => measure(slot, prompt).cached
  const slot = await room.runners.takeSlot(runner, { known, signal })
  if (!slot) return
  const progress: Progress = { thinking: '', text: '', tokens: 0 }
  try {
    if (prompt.length >= runner.context) {
      throw new HttpError(400, 'the input length exceeds the context length', { streamed: body.stream })
    }
    const reading = measure(slot, prompt)
    Object.assign(log, reading)
    const begun = performance.now()
    await room.prefill(reading.read)
    slot.tokens = prompt
    // Ollama 0.24 notices here, and not before, that the client has gone.
    if (signal.aborted) return
    const spent = { load, prefill: performance.now() - begun }
    await send(await ask(room, job), room, { ...job, tokenizer, progress, spent })
  } finally {
    log.generated = progress.tokens
    keep(slot, [...slot.tokens, ...tokenizer.encode(written(progress))], runner.context)
    room.runners.freeSlot(slot)
  }
}

/** Without `truncate: false` the oldest messages go until the rest fits; system messages and the last one stay. */
function fitPrompt(
  body: ChatBody,
  { tokenizer, context }: { tokenizer: Tokenizer; context: number },
): readonly number[] {
  const system = body.messages.filter(message => message.role === 'system')
  const talk = body.messages.filter(message => message.role !== 'system')
  for (;;) {
    const prompt = renderPrompt([...system, ...talk], body.tools).flatMap(part => tokenizer.encode(part))
    if (body.truncate === false || prompt.length < context || talk.length <= 1) return prompt
    talk.shift()
  }
}

async function ask(room: DemoRoom, { body, log }: Job): Promise<Reply> {
  // A prewarm wants the prompt to be read and nothing said: it takes no reply from the script.
  if (body.options.num_predict === 1) return ['…']
  return room.model(body, room.asked++, log)
}

interface Sending extends Job {
  tokenizer: Tokenizer
  progress: Progress
  spent: Spent
}

async function send(reply: Reply, room: DemoRoom, job: Sending): Promise<void> {
  const { body, sink, response, log, progress, signal, tokenizer } = job
  const pace = startPace(room.decode, signal)
  const chunks = decode(reply, {
    think: job.think,
    limit: tokenLimit(job),
    stop: Array.isArray(body.options.stop) ? body.options.stop.map(String) : [],
    count: text => tokenizer.encode(text).length,
    live: { response, log, signal, progress, pace },
  })
  for (;;) {
    const step = await chunks.next()
    if (step.done) return finish(sink, job, { ending: step.value, decode: pace.elapsed() })
    log.firstAt ??= performance.now()
    await pass(sink, step.value)
  }
}

async function pass(sink: ReplySink, chunk: Chunk): Promise<void> {
  if (chunk.type === 'call') await sink.message({ tool_calls: [chunk.call] })
  else await sink.message({ [chunk.type]: chunk.text })
}

function finish(sink: ReplySink, job: Sending, { ending, decode }: { ending: Ending; decode: number }): void {
  if (ending) {
    const metrics = {
      total_duration: nanoseconds(performance.now() - job.arrived),
      load_duration: nanoseconds(job.spent.load),
      prompt_eval_count: job.log.prompt ?? 0,
      prompt_eval_duration: nanoseconds(job.spent.prefill),
      eval_count: job.progress.tokens,
      eval_duration: job.progress.tokens > 1 ? nanoseconds(decode) : 0,
    }
    sink.done(ending.reason, { metrics, calls: ending.calls })
  }
}

/** `num_predict` (0 and negative: no limit, in this era), and the rest of the context when it may not be shifted. */
function tokenLimit({ body, runner, log }: Sending): number {
  const wanted = Number(body.options.num_predict ?? -1)
  const rest = body.shift === false ? runner.context - (log.prompt ?? 0) : runner.context * 10
  return wanted > 0 ? Math.min(wanted, rest) : rest
}

function nanoseconds(ms: number): number {
  return Math.round(ms * 1e6)
}
