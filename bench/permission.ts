/** What the permission room costs: the load of its parser, and a decision about a usual command. */
import { decide } from '../src/permission/decide.ts'
import { gather } from '../src/permission/gather.ts'
import { loadShellParser } from '../src/permission/shell/parse.ts'
import { readRules } from '../src/rules/rule.ts'
import { clock, median, type Row } from './measure.ts'

const loadBound = 60
const decisionBound = 1
const times = 200

const commands = [
  'ls -la src',
  'git log --oneline -5 && git diff HEAD~1',
  'cd test && grep -rn "decide" . | head -20',
  "find . -name '*.ts' -not -path './node_modules/*' | xargs wc -l",
  'for f in a b; do echo "$f: $(cat README.md | wc -l)"; done > /dev/null 2>&1',
]

export async function permissionRows(): Promise<Row[]> {
  const before = clock()
  await loadShellParser()
  const load = clock() - before
  const cwd = process.cwd()
  const where = {
    ...{ mode: 'ask' as const, cwd, shellCwd: cwd, home: '/home/u', gopiHome: '/home/u/.gopi' },
    rules: readRules({ allow: ['Bash(npm test:*)', 'Bash(git *)'], ask: [], deny: ['Bash(curl *)'] }),
    isOwn: () => false,
  }
  const taken: number[] = []
  for (let n = 0; n < times; n++) {
    for (const command of commands) {
      const call = { tool: 'bash', accesses: [{ run: command }] }
      const start = clock()
      decide(call, await gather(call, where))
      taken.push(clock() - start)
    }
  }
  return [
    row('shell parser, first load', load, loadBound),
    row('decision about a command, median', median(taken), decisionBound),
  ]
}

const row = (figure: string, ms: number, bound: number): Row => ({
  figure,
  against: '–',
  measured: `${ms.toFixed(2)} ms`,
  floor: '–',
  reach: `≤ ${bound} ms`,
  reached: ms <= bound,
})
