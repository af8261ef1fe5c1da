/** The persistent bash against a new process for each command. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import type { Where } from '../src/protocol/access.ts'
import { createSandbox } from '../src/sandbox/sandbox.ts'
import { createShell } from '../src/shell/shell.ts'
import { environment, median, ms, pairs, type Row, ratioRow } from './measure.ts'

export async function shellRows(): Promise<Row[]> {
  const project = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-bench-')))
  const home = homedir()
  const sandbox = createSandbox({
    ...{ project, home, gopiHome: path.join(home, '.gopi') },
    ...{ env: environment(), network: [] },
  })
  const shell = createShell({ cwd: project, env: environment(), wall: sandbox })
  const options = {
    signal: new AbortController().signal,
    timeout: 10_000,
    maxOutput: 8_192,
    spillDir: async () => tmpdir(),
  }
  const timed = async (work: () => unknown) => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }
  try {
    const result = await pairs(
      200,
      () => timed(() => shell.run('true', options)),
      () => timed(() => spawnSync('bash', ['-c', 'true'], { env: environment() })),
    )
    const rows = [
      ratioRow('persistent bash: true, round trip', "spawnSync('bash', ['-c', 'true'])", result, 0.3),
    ]
    const added = async (figure: string, where: Where, most: number) => {
      const { a, b } = await pairs(
        200,
        () => timed(() => shell.run('/bin/true', { ...options, where })),
        () => timed(() => shell.run('/bin/true', options)),
      )
      rows.push({
        ...{ figure, against: 'the same in the persistent bash', measured: ms(a), floor: ms(b) },
        ...{ reach: `≤ ${ms(most)} more`, reached: a - b <= most },
      })
    }
    await added('/bin/true where it can do nothing', 'harmless', 5)
    if ((await sandbox.problem('sandbox-read')) === undefined) {
      await added('/bin/true in the sandbox, read', 'sandbox-read', 15)
      await added('/bin/true in the sandbox, work', 'sandbox-work', 15)
      const starts: number[] = []
      for (let n = 0; n < 10; n++) {
        const other = createShell({ cwd: project, env: environment(), wall: sandbox })
        starts.push(await timed(() => other.run('/bin/true', { ...options, where: 'sandbox-work' })))
        await other.close()
      }
      rows.push({
        ...{ figure: 'the first command in a sandbox', against: '', measured: ms(median(starts)), floor: '' },
        ...{ reach: '≤ 150 ms', reached: median(starts) <= 150 },
      })
    }
    return rows
  } finally {
    await shell.close()
    rmSync(project, { recursive: true, force: true })
  }
}
