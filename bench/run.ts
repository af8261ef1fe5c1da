/** npm run bench: every figure that gopi promises, each against its floor, taken in one run on this machine. */
import { compactionRows } from './compaction.ts'
import { enterRows } from './enter.ts'
import { firstTokenRows } from './first-token.ts'
import { grepRows } from './grep.ts'
import { machine, type Row, table } from './measure.ts'
import { promptRows } from './prompt.ts'
import { readRows } from './read.ts'
import { shellRows } from './shell.ts'
import { startRows } from './start.ts'
import { toolLoopRows } from './tool-loop.ts'

type Bench = () => Row[] | Promise<Row[]>

const benches: Record<string, Bench> = {
  start: startRows,
  'tool-loop': toolLoopRows,
  enter: enterRows,
  compaction: compactionRows,
  read: readRows,
  'first-token': firstTokenRows,
  shell: shellRows,
  grep: grepRows,
  prompt: promptRows,
}

const wanted = process.argv.slice(2)
const names = wanted.length > 0 ? wanted : Object.keys(benches)
const rows: Row[] = []
for (const name of names) {
  const bench = benches[name]
  if (!bench) throw new Error(`no bench ${name}; there are ${Object.keys(benches).join(', ')}`)
  process.stderr.write(`${name} …\n`)
  rows.push(...(await bench()))
}
process.stdout.write(`${machine()}\n\n${table(rows)}\n`)
process.exitCode = rows.every(({ reached }) => reached) ? 0 : 1
