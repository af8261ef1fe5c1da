import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../support/program.ts'
import { buildFixture } from './program.ts'

const isThere = spawnSync('tmux', ['-V']).status === 0
const skip = isThere ? false : 'tmux is not installed here'

interface Pane {
  /** What is on its screen. */
  text(): string
  shows(wanted: RegExp): Promise<void>
  /** As `tmux send-keys` names them. */
  press(...keys: string[]): void
  told(): string[]
}

async function openPane(t: TestContext): Promise<Pane> {
  const fixture = await buildFixture()
  const { directory } = fixture
  const log = path.join(directory, 'log')
  const socket = path.join(directory, 'tmux')
  writeFileSync(log, '')
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    // The shell in the pane would write it when all is being removed.
    HISTFILE: '/dev/null',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  }
  const tmux = (...words: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], {
      env,
      encoding: 'utf8',
      cwd: directory,
    })
  t.after(() => {
    tmux('kill-server')
    fixture.remove()
  })
  tmux('-u', 'new-session', '-d', '-x', '60', '-y', '16', 'PS1="shell> " bash --norc --noprofile -i')
  const text = () => tmux('capture-pane', '-p')
  const pane: Pane = {
    text,
    shows: wanted =>
      eventually('', () => wanted.test(text())).catch(() => {
        throw new Error(`${wanted} never came; there is:\n${text()}`)
      }),
    press: (...keys) => tmux('send-keys', ...keys),
    told: () => readFileSync(log, 'utf8').split('\n').slice(1, -1),
  }
  await pane.shows(/shell>/)
  pane.press(`${process.execPath} ${fixture.program} ${log}; echo "code $?"`, 'Enter')
  await pane.shows(/^window 60x16/m)
  return pane
}

test('in tmux, what is wide to some stays inside its borders, and nothing is left of it', {
  skip,
}, async t => {
  const pane = await openPane(t)
  pane.press('w')
  await pane.shows(/^window 60x16 w$/m)
  // Emoji may be narrower to tmux than to gopi: then blanks stand behind them.
  await pane.shows(/^window.*\n(│.+ end *│\n){7}\n/)
  pane.press('o')
  await pane.shows(/^window 60x16 wo$/m)
  await pane.shows(/^window.*\n(│x{20}│\n){7}\n/)
  pane.press('q')
  await pane.shows(/^the last words\ncode 0$/m)
})

test('in tmux, Ctrl+Z and fg work, and no answer of the terminal is taken for a key', { skip }, async t => {
  const pane = await openPane(t)
  pane.press('z')
  await pane.shows(/Stopped[\s\S]*shell>/)
  pane.press('fg', 'Enter')
  await pane.shows(/^window 60x16 z$/m)
  pane.press('k', 'Up', 'C-c', 'M-Enter', 'S-Up')
  await pane.shows(/zkup\^center/)
  assert.deepEqual(pane.told(), ['key z', 'key k', 'key up', 'key c', 'key enter', 'key up'])
  pane.press('q')
  await pane.shows(/^the last words$/m)
})
