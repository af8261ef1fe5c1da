/** npm run bench: every figure that gopi promises, each against its floor, taken in one run on this machine. */
import { grepRows } from './grep.ts'
import { machine, type Row, table } from './measure.ts'
import { promptRows } from './prompt.ts'
import { shellRows } from './shell.ts'
import { startRows } from './start.ts'
import { toolLoopRows } from './tool-loop.ts'

const benches: Record<string, () => Row[] | Promise<Row[]>> = {
  start: startRows,
  'tool-loop': toolLoopRows,
  shell: shellRows,
  grep: grepRows,
  prompt: promptRows,
}

const wanted = process.argv.slice(2)
const rows: Row[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  process.stderr.write(`${name} …\n`)
  rows.push(...(await bench()))
}
process.stdout.write(`${machine()}\n\n${table(rows)}\n`)
process.exitCode = rows.every(({ reached }) => reached) ? 0 : 1
