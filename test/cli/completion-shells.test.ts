/** The scripts in the shells that they are for: what a person sees who presses Tab. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { type IPty, spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { completionScript } from '../../src/cli/completion.ts'
import { patience, temporary } from '../support/program.ts'

const without = (shell: string): string | false =>
  spawnSync(shell, ['--version']).error ? `${shell} is not installed` : false

/** A directory with a gopi that knows models and sessions, some of odd names. */
function place(t: TestContext) {
  const cwd = temporary(t, 'gopi-completion-')
  writeFileSync(
    path.join(cwd, 'gopi'),
    `#!/bin/sh
case $1 in
  models) printf '%s\\n' '* qwen3:8b          5 GB' '  qwen2.5-coder:7b  4 GB' '  two words         4 GB' '  $(touch run)      1 GB' ;;
  sessions) printf '%s\\n' '0abc  it is yesterday' "1'd\\$HOME  odd" ;;
esac
`,
    { mode: 0o755 },
  )
  const { PATH = '' } = process.env
  return { cwd, env: { PATH: `${cwd}:${PATH}`, HOME: cwd, LANG: 'C.UTF-8', TERM: 'xterm' } }
}

test('fish completes commands, options, their values, models and sessions', {
  skip: without('fish'),
}, t => {
  const { cwd, env } = place(t)
  writeFileSync(path.join(cwd, 'gopi.fish'), completionScript('fish'))
  const offered = (line: string): string[] =>
    execFileSync('fish', ['--no-config', '-c', 'source gopi.fish; complete -C $argv[1]', line], {
      ...{ cwd, env, encoding: 'utf8' },
    })
      .split('\n')
      .slice(0, -1)
      .map(row => row.split('\t')[0] ?? '')
  assert.ok(['doctor', 'models'].every(name => offered('gopi ').includes(name)))
  assert.deepEqual(offered('gopi --mo'), ['--mode', '--model'])
  assert.deepEqual(offered('gopi doctor --sp'), ['--speed'])
  assert.deepEqual(offered('gopi --mode a'), ['ask', 'auto-edit'])
  assert.deepEqual(offered('gopi --demo=a'), ['--demo=auto'])
  assert.deepEqual(offered('gopi -m '), ['$(touch run)', 'qwen2.5-coder:7b', 'qwen3:8b', 'two words'])
  assert.deepEqual(offered('gopi --model qwen3:'), ['qwen3:8b'])
  for (const line of ['gopi -r ', 'gopi --resume ']) assert.deepEqual(offered(line), ['0abc', "1'd$HOME"])
  assert.deepEqual(offered('gopi --resume=0'), ['--resume=0abc'])
  assert.deepEqual(offered('gopi --fork 0'), ['0abc'])
  assert.deepEqual(offered('gopi completion z'), ['zsh'])
  assert.deepEqual(offered('gopi mcp a'), ['add'])
  assert.deepEqual(offered('gopi --config gopi.'), ['gopi.fish'])
  assert.equal(existsSync(path.join(cwd, 'run')), false)
})

/** A zsh on a terminal, and what stands on it. */
async function openZsh(t: TestContext, setup: string) {
  const { cwd, env } = place(t)
  writeFileSync(path.join(cwd, '_gopi'), completionScript('zsh'))
  const emulator = new xterm.Terminal({ cols: 120, rows: 40, allowProposedApi: true })
  const pty: IPty = spawn('zsh', ['-f', '-i'], { name: 'xterm', cols: 120, rows: 40, cwd, env })
  t.after(() => pty.kill('SIGKILL'))
  const looks = new Set<() => void>()
  pty.onData(piece =>
    emulator.write(piece, () => {
      for (const look of looks) look()
    }),
  )
  const rows = () =>
    Array.from({ length: 40 }, (_, row) => emulator.buffer.active.getLine(row)?.translateToString(true) ?? '')
      .join('\n')
      .trimEnd()
  const shows = (wanted: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${wanted} never came:\n${rows()}`)), patience)
      const look = () => {
        if (!wanted.test(rows())) return
        clearTimeout(timer)
        looks.delete(look)
        resolve(rows())
      }
      looks.add(look)
      look()
    })
  pty.write(`PS1='=''> '; autoload -Uz compinit; ${setup}; unsetopt beep; clear\r`)
  await shows(/^=> $|^=>$/)
  return {
    cwd,
    /** Types the line, presses Tab, and waits for what is to be there. */
    async tab(line: string, wanted: RegExp) {
      pty.write(`\x15\x0c${line}\t`)
      const shown = await shows(wanted)
      // Nothing that is still on its way belongs to the next line.
      pty.write('\x15\x0c')
      await shows(/^=>\s*$/)
      return shown
    },
  }
}

test('zsh completes commands, options, their values, models and sessions', {
  skip: without('zsh'),
}, async t => {
  const { cwd, tab } = await openZsh(t, 'compinit -u -D; source ./_gopi')
  await tab('gopi ', /doctor +-- [\s\S]*models +-- the models/)
  await tab('gopi doctor --sp', /^=> gopi doctor --speed/m)
  await tab('gopi --mode ', /ask +auto-edit +plan +yolo/)
  await tab('gopi --demo=', /^=> gopi --demo=auto/m)
  await tab('gopi -m ', /\\\$\\\(touch\\ run\\\) +qwen2\.5-coder:7b +qwen3:8b +two\\ words/)
  await tab('gopi --model qwen3:', /^=> gopi --model qwen3:8b/m)
  await tab('gopi --fork 1', /^=> gopi --fork 1\\'d\\\$HOME/m)
  await tab('gopi --resume 0', /^=> gopi --resume 0abc/m)
  await tab('gopi completion z', /^=> gopi completion zsh/m)
  await tab('gopi mcp ', /add +get +list +remove +test/)
  await tab('gopi --config _', /^=> gopi --config _gopi/m)
  assert.equal(existsSync(path.join(cwd, 'run')), false)
})

test('zsh loads the script from its fpath with the first Tab', { skip: without('zsh') }, async t => {
  const { tab } = await openZsh(t, 'fpath=($PWD $fpath); compinit -u -D')
  await tab('gopi doctor --sp', /^=> gopi doctor --speed/m)
})
