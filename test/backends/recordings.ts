/** 33 exchanges recorded from Ollama 0.24.0 on a CPU. */
import { readFileSync } from 'node:fs'

export interface Recorded {
  path: string
  request?: unknown
  status: number
  type: string
  lines: { ms: number; line: string }[]
}

export function readRecordings(): Record<string, Recorded> {
  return JSON.parse(readFileSync(new URL('../fixtures/ollama-0.24.json', import.meta.url), 'utf8'))
}
