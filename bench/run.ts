/**
 * npm run bench: the figures that gopi promises, each against its floor, taken in one run on this machine. Names choose
 * among them; those that take long or need the network are only run by name.
 */
import { acpRows } from './acp.ts'
import { compactionRows } from './compaction.ts'
import { completeRows } from './complete.ts'
import { enterRows } from './enter.ts'
import { firstTokenRows } from './first-token.ts'
import { grepRows } from './grep.ts'
import { machine, type Row, table } from './measure.ts'
import { memoryRows } from './memory.ts'
import { peerRows } from './peers.ts'
import { permissionRows } from './permission.ts'
import { promptRows } from './prompt.ts'
import { readRows } from './read.ts'
import { realRows } from './real.ts'
import { resumeRows } from './resume.ts'
import { screenRows } from './screen.ts'
import { shellRows } from './shell.ts'
import { startRows } from './start.ts'
import { taskRows } from './task.ts'
import { toolLoopRows } from './tool-loop.ts'

type Bench = () => Row[] | Promise<Row[]>

const usual: Record<string, Bench> = {
  start: startRows,
  'tool-loop': toolLoopRows,
  enter: enterRows,
  compaction: compactionRows,
  read: readRows,
  'first-token': firstTokenRows,
  acp: acpRows,
  shell: shellRows,
  grep: grepRows,
  prompt: promptRows,
  permission: permissionRows,
  complete: completeRows,
  resume: resumeRows,
}
const benches: Record<string, Bench> = {
  ...usual,
  screen: screenRows,
  memory: memoryRows,
  peers: peerRows,
  task: taskRows,
  real: realRows,
}

/** Milliseconds after which a bench is believed to hang. */
const patience = 3_600_000

const wanted = process.argv.slice(2)
const rows: Row[] = []
for (const name of wanted.length > 0 ? wanted : Object.keys(usual)) {
  const bench = benches[name]
  if (!bench) throw new Error(`there is no bench ${name}, only ${Object.keys(benches).join(', ')}`)
  process.stderr.write(`${name} …\n`)
  const timer = setTimeout(() => {
    throw new Error(`the bench ${name} did not end`)
  }, patience)
  rows.push(...(await bench()))
  clearTimeout(timer)
}
process.stdout.write(`${machine()}\n\n${table(rows)}\n`)
process.exitCode = rows.every(({ reached }) => reached) ? 0 : 1
