/** How long it takes to go on with a long session, against what its lines alone take to be parsed. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openSession } from '../src/session/open.ts'
import { placeOf, sessionsDirectory } from '../src/session/store.ts'
import { pairs, type Row } from './measure.ts'

const events = 100_000
const bound = 2

export async function resumeRows(): Promise<Row[]> {
  const home = mkdtempSync(path.join(tmpdir(), 'gopi-bench-'))
  const directory = sessionsDirectory(home, '/project')
  const { file } = placeOf(directory, 'long')
  mkdirSync(directory, { recursive: true })
  writeFileSync(file, journal())
  const parse = async () => {
    const started = performance.now()
    for (const line of readFileSync(file, 'utf8').split('\n')) if (line !== '') JSON.parse(line)
    return performance.now() - started
  }
  const resume = async () => {
    const started = performance.now()
    const opened = await openSession({
      home,
      cwd: '/project',
      resume: { last: true },
      keep: true,
      newId: () => 'fresh',
    })
    const took = performance.now() - started
    opened.release()
    return took
  }
  const { a, b, ratio } = await pairs(9, resume, parse)
  rmSync(home, { recursive: true, force: true })
  return [
    {
      figure: 'going on with a journal of 100,000 events',
      against: 'parsing its lines',
      measured: `${a.toFixed(0)} ms`,
      floor: `${b.toFixed(0)} ms`,
      ratio,
      reach: `≤ ${bound}×`,
      reached: ratio <= bound,
    },
  ]
}

/** Runs of a call and its result, as they are kept. */
function journal(): string {
  const timestamp = new Date(0).toISOString()
  const lines: string[] = []
  const add = (entry: object) => lines.push(JSON.stringify({ ...entry, timestamp }))
  add({ type: 'header', version: 1, id: 'long', cwd: '/project' })
  for (let n = 0; lines.length < events; n++) {
    const tool_call_id = `c${n}`
    const call = { id: tool_call_id, name: 'bash', arguments: { command: 'npm test' } }
    add({ type: 'agent_start' })
    add({ type: 'message', id: `u${n}`, role: 'user', content: `Look at case ${n}, please.` })
    add({ type: 'turn_start' })
    add({
      ...{ type: 'message', id: `a${n}`, role: 'assistant', content: 'I run the tests.' },
      ...{ tool_calls: [call], stop_reason: 'tool_calls' },
    })
    add({ type: 'tool_call_start', tool_call_id, name: 'bash', arguments: call.arguments })
    add({ type: 'tool_call_end', tool_call_id, is_error: false, duration_ms: 1 })
    add({
      ...{ type: 'message', id: `t${n}`, role: 'tool', content: 'ok 1 - a test\n'.repeat(10) },
      ...{ tool_call_id, tool_name: 'bash', is_error: false },
    })
    add({ type: 'turn_end' })
    add({ type: 'message', id: `b${n}`, role: 'assistant', content: 'They pass.', stop_reason: 'stop' })
    add({ type: 'agent_end', reason: 'done', turns: 2 })
  }
  return `${lines.join('\n')}\n`
}
