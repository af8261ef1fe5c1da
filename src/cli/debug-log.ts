/**
 * `--debug`: JSON lines about requests, timings and decisions in `$GOPI_HOME/logs/gopi.log`, five files of 1 MB.
 * Prompts and replies appear only as lengths and hashes.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Backend, ChatRequest } from '../backends/backend.ts'
import type { SessionEvent } from '../protocol/events.ts'

const maxBytes = 1_000_000
const files = 5

export type Log = (event: string, facts?: Record<string, unknown>) => void

/** A log that cannot be written is no reason to stop: logging ceases. */
export function openLog(home: string): Log {
  const file = path.join(home, 'logs', 'gopi.log')
  return (event, facts = {}) => {
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      rotate(file)
      const line = { timestamp: new Date().toISOString(), pid: process.pid, event, ...facts }
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
    } catch {}
  }
}

function rotate(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size < maxBytes) return
  for (let n = files - 2; n >= 0; n--) {
    const from = n === 0 ? file : `${file}.${n}`
    if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${file}.${n + 1}`)
  }
}

const digest = (text: string) => ({
  length: text.length,
  sha256: createHash('sha256').update(text).digest('hex').slice(0, 12),
})

/** What Node and libraries warn of, which no face shows. */
export function logWarnings(log: Log): void {
  process.on('warning', ({ name, message, stack }) => log('warning', { name, message, stack }))
}

/** The model, with every chat request logged: when it left, when the first piece came, how it ended. */
export function loggedModel(backend: Backend, log: Log): Backend {
  return {
    ...backend,
    async *chat(request: ChatRequest, options) {
      const started = performance.now()
      const since = () => Math.round((performance.now() - started) * 10) / 10
      const { messages, tools, ...rest } = request
      log('request', {
        ...rest,
        messages: messages.map(({ role, content }) => ({ role, ...digest(content) })),
        tools: tools?.length ?? 0,
      })
      let first: number | undefined
      try {
        for await (const event of backend.chat(request, options)) {
          first ??= since()
          if (event.type === 'end')
            log('reply', { ...event.metrics, reason: event.reason, first_ms: first, total_ms: since() })
          if (event.type === 'notice') log('notice', { code: event.code, message: event.message })
          yield event
        }
      } catch (error) {
        log('request_failed', { total_ms: since(), error: String(error) })
        throw error
      }
    },
  }
}

/** The session's events that belong in the log. */
export function logEvents(log: Log): (event: SessionEvent) => void {
  return event => {
    switch (event.type) {
      case 'message':
        log('message', { id: event.id, role: event.role, ...digest(event.content) })
        break
      case 'tool_call_start':
        log(event.type, {
          id: event.tool_call_id,
          name: event.name,
          arguments: digest(JSON.stringify(event.arguments)),
        })
        break
      case 'tool_call_end':
      case 'permission':
      case 'agent_end':
      case 'model_change':
      case 'error':
      case 'notice': {
        const { type, timestamp: _, ...facts } = event
        log(type, facts)
        break
      }
    }
  }
}
