/** The persistent bash against a new process for each command. */
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { createShell } from '../src/shell/shell.ts'
import { environment, pairs, type Row, ratioRow } from './measure.ts'

export async function shellRows(): Promise<Row[]> {
  const shell = createShell({ cwd: tmpdir(), env: environment() })
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
    return [ratioRow('persistent bash: true, round trip', "spawnSync('bash', ['-c', 'true'])", result, 0.3)]
  } finally {
    await shell.close()
  }
}
