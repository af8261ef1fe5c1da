/** A real bash that says what it ran: its PATH holds nothing but programs that write down how they were called. */
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** `kf` fails, the others succeed. */
export const PROGRAMS = ['k0', 'k1', 'k2', 'k3', 'kf', 'ls', 'cat', 'env', 'nice', 'timeout', 'xargs', 'grep']

export interface Ran {
  /** Program and arguments of each call. */
  calls: string[][]
  /** Files that it made in its directory (real paths). */
  made: string[]
}

export interface RealBash {
  cwd: string
  home: string
  run(line: string): Promise<Ran>
  remove(): void
}

/** Milliseconds; a mutation may have made an endless loop. */
const PATIENCE = 1_500

export function openRealBash(): RealBash {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-bash-')))
  const [bin, record, home] = ['bin', 'record', 'home'].map(name => path.join(root, name)) as [
    string,
    string,
    string,
  ]
  const cwd = path.join(home, 'project')
  mkdirSync(bin)
  const bash = execFileSync('/bin/sh', ['-c', 'command -v bash'], { encoding: 'utf8' }).trim()
  for (const name of PROGRAMS) {
    // One write, so that two that run at once do not mix.
    const call = `c=\${0##*/}; for a; do c="$c\x1f$a"; done; printf '%s\\036' "$c" >> "$RECORD"`
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${call}\nexit ${name === 'kf' ? 1 : 0}\n`)
    chmodSync(path.join(bin, name), 0o755)
  }
  for (const name of ['bash', 'sh']) symlinkSync(bash, path.join(bin, name))

  return {
    cwd,
    home,
    async run(line) {
      rmSync(cwd, { recursive: true, force: true })
      mkdirSync(cwd, { recursive: true })
      writeFileSync(record, '')
      // A function that calls itself ends soon.
      const env = { PATH: bin, HOME: home, RECORD: record, FUNCNEST: '10' }
      const child = spawn(bash, ['--noprofile', '--norc', '-c', line], {
        cwd,
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      })
      const timer = setTimeout(() => killGroup(child.pid), PATIENCE)
      child.stdout.resume()
      // All that it started has ended when the last of them has closed the pipe.
      await new Promise(resolve => child.once('close', resolve))
      clearTimeout(timer)
      killGroup(child.pid)
      const calls = readFileSync(record, 'utf8')
        .split('\x1e')
        .slice(0, -1)
        .map(call => call.split('\x1f'))
      const made = existsSync(cwd) ? readdirSync(cwd).map(name => path.join(cwd, name)) : []
      return { calls, made }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}
