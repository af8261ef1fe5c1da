import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ChatBody } from '../../src/demo/request.ts'
import { gate } from '../support/demo/reply.ts'
import { call } from '../support/house.ts'
import { entry, eventually, openProgram, type Program } from '../support/program.ts'
import { openScreen, type Screen } from '../support/screen.ts'
import { ctrlC, ctrlD } from '../support/terminal.ts'

const atRest = /Say what you want done/
const ready = /\nask · qwen2\.5-coder:7b native · /

/** A question takes keys once it can have been seen. */
async function answer(screen: Screen, key: string, gone: RegExp): Promise<void> {
  await screen.shows(gone)
  await new Promise(resolve => setTimeout(resolve, 350))
  screen.press(key)
  await screen.shows(rows => !gone.test(rows.join('\n')))
}

test('a conversation: typed, steered, approved, seen again after a resize, and left with its last part', async t => {
  const held = gate()
  const gopi = await openProgram(t, {
    files: { 'main.ts': 'one\ntwo\n' },
    replies: [
      ['I begin ', { gate: held }, 'to talk.'],
      call('read', { path: 'main.ts' }),
      {
        text: 'Then I **edit** it.',
        calls: [{ name: 'edit', arguments: { path: 'main.ts', old: 'two', new: 'zwei' } }],
      },
      'Edited.',
    ],
  })
  const screen = openScreen(t, gopi)
  const start = await screen.shows(/directory[\s\S]*\? help · Shift\+Enter new line · Esc stop/)
  assert.match(start.join('\n'), /^gopi \d+\.\d+\.\d+\nmodel {6}qwen2\.5-coder:7b · native/)
  assert.deepEqual(screen.cursor(), { row: 22, column: 2 })
  await screen.enter('hello')
  await screen.shows(/I begin[\s\S]*writing · Esc stops/)
  await screen.enter('edit main.ts')
  held.open()
  await screen.shows(/2 - two[\s\S]*2 \+ zwei[\s\S]*y once/)
  assert.equal(readFileSync(path.join(gopi.cwd, 'main.ts'), 'utf8'), 'one\ntwo\n')
  await answer(screen, 'y', /Make this change\?/)
  await screen.shows(/Edited\.[\s\S]*Say what/)
  assert.equal(readFileSync(path.join(gopi.cwd, 'main.ts'), 'utf8'), 'one\nzwei\n')
  screen.resize(50, 14)
  const small = await screen.shows(
    rows => rows.length === 14 && rows[11] === '─'.repeat(50) && rows.includes('Edited.'),
  )
  assert.equal(small[12], '› Say what you want done; @ names a file, / a comm')
  screen.resize(80, 24)
  await screen.shows(rows => rows.includes('› hello') && rows[21] === '─'.repeat(80))
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
  const left = (await screen.shows(/gopi --resume/)).join('\n')
  assert.match(left, /› hello[\s\S]*Then I edit it\.[\s\S]*✓ edit main\.ts \+1 −1[\s\S]*Edited\./)
  const [, id] = /To go on with this session: gopi --resume (\w+)/.exec(left) ?? []
  assert.deepEqual(gopi.server.violations, [])

  const again = openScreen(t, gopi, { args: ['--continue'] })
  const shown = (await again.shows(/Then I edit it\.[\s\S]*Say what/)).join('\n')
  assert.match(
    shown,
    /› hello[\s\S]*I begin[\s\S]*› edit main\.ts[\s\S]*Then I edit it\.[\s\S]*✓ edit main\.ts \+1 −1/,
  )
  again.press(ctrlC)
  await again.shows(/Press Ctrl\+C again to leave\./)
  again.press(ctrlC)
  assert.equal(await again.ended, 0)
  await again.shows(new RegExp(`gopi --resume ${id}`))
})

test('another session, another model and back: without leaving', async t => {
  const gopi = await openProgram(t, { replies: ['First.', 'Second.', 'Third.'] })
  const screen = openScreen(t, gopi)
  await screen.shows(ready)
  await screen.enter('one')
  await screen.shows(/First\.[\s\S]*Say what/)
  screen.press('/clear\r')
  await screen.shows(rows => !rows.includes('› one') && ready.test(rows.join('\n')))
  await screen.enter('two')
  await screen.shows(/Second\.[\s\S]*Say what/)
  assert.deepEqual(gopi.sent(1), ['two'])
  screen.press('/resume\r')
  await screen.shows(/Sessions of this directory[\s\S]* one/)
  screen.press('\r')
  const back = await screen.shows(rows => rows.includes('› one') && ready.test(rows.join('\n')))
  assert.ok(!back.includes('› two'))
  screen.press('\x1bp')
  await screen.shows(/Models[\s\S]*gopi-demo/)
  screen.press('\r')
  await screen.shows(/› one[\s\S]*\nask · gopi-demo native · /)
  await screen.enter('three')
  await screen.shows(/Third\.[\s\S]*Say what/)
  assert.deepEqual(gopi.sent(2), ['one', 'First.', 'three'])
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
})

test('a command that had the whole terminal stands in the conversation', async t => {
  const gopi = await openProgram(t)
  const screen = openScreen(t, gopi)
  await screen.shows(ready)
  screen.press('!less --version\r')
  await screen.shows(/› ! less --version\s+[✓✗] bash less --version[\s\S]*Say what/)
})

test('a rule of the configuration that lets all edits run is in the footer', async t => {
  const gopi = await openProgram(t)
  mkdirSync(gopi.env.GOPI_HOME ?? '', { recursive: true })
  writeFileSync(path.join(gopi.env.GOPI_HOME ?? '', 'config.yaml'), 'permission: { allow: ["Edit(*)"] }\n')
  const screen = openScreen(t, gopi)
  await screen.shows(/^ask, edits run · /m)
})

test('a session that is open elsewhere: that a copy goes on stands below its story', async t => {
  const long = Array.from({ length: 60 }, (_, line) => `Line ${line}.`).join('\n\n')
  const gopi = await openProgram(t, { replies: [long] })
  const first = openScreen(t, gopi)
  await first.shows(ready)
  await first.enter('one')
  await first.shows(/Line 59\.[\s\S]*Say what/)
  const second = openScreen(t, gopi)
  await second.shows(ready)
  second.press('/resume\r')
  await second.shows(/Sessions of this directory[\s\S]* one/)
  second.press('\r')
  await second.shows(/Line 59\.[\s\S]*open in another gopi[\s\S]*copy[\s\S]*Say what/)
})

test('a session that there is not ends nothing: the conversation goes on, and it is said', async t => {
  const gopi = await openProgram(t, { replies: ['First.', 'Second.'] })
  const screen = openScreen(t, gopi)
  await screen.shows(ready)
  await screen.enter('one')
  await screen.shows(/First\.[\s\S]*Say what/)
  screen.press('/resume zzz\r')
  await screen.shows(/› one[\s\S]*First\.[\s\S]*There is no session "zzz"[\s\S]*Say what/)
  await screen.enter('two')
  await screen.shows(/Second\.[\s\S]*Say what/)
  assert.deepEqual(gopi.sent(1), ['one', 'First.', 'two'])
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
})

test('without a server it opens all the same, says what to do, and can be left at once', async t => {
  const gopi = await openProgram(t, { env: { OLLAMA_HOST: 'http://127.0.0.1:9' } })
  const screen = openScreen(t, gopi)
  await screen.shows(/No Ollama answers at http:\/\/127\.0\.0\.1:9[\s\S]*Set it up now\?[\s\S]*no Ollama/)
  await answer(screen, 'n', /Set it up now\?/)
  await screen.enter('hello')
  await screen.shows(/› hello[\s\S]*No Ollama answers/)
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
})

test('a server that never answers keeps nobody from leaving', async t => {
  const { createServer } = await import('node:http')
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  t.after(() => server.close().closeAllConnections())
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as import('node:net').AddressInfo
  const gopi = await openProgram(t, { env: { OLLAMA_HOST: `http://127.0.0.1:${port}` } })
  const screen = openScreen(t, gopi)
  await screen.shows(atRest)
  await screen.enter('hello')
  await screen.shows(/› hello[\s\S]*waiting for the server/)
  screen.press(ctrlC)
  await screen.shows(/› hello\s+· Stopped\.[\s\S]*Say what/)
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
})

test('a folder that brings instructions is asked about once; leaving there is no answer', async t => {
  const gopi = await openProgram(t, { files: { 'AGENTS.md': '# Be brief\n' } })
  const leaving = openScreen(t, gopi)
  await leaving.shows(/Do you trust this folder\?[\s\S]*AGENTS\.md[\s\S]*y yes +n Esc no/)
  leaving.press(ctrlC)
  await leaving.shows(/Press Ctrl\+C again/)
  leaving.press(ctrlC)
  assert.equal(await leaving.ended, 0)
  const screen = openScreen(t, gopi)
  await answer(screen, 'y', /Do you trust this folder\?/)
  await screen.shows(/instructions +.*AGENTS\.md/)
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
  const again = openScreen(t, gopi)
  await again.shows(/instructions +.*AGENTS\.md/)
  again.press(ctrlD)
  assert.equal(await again.ended, 0)
})

test('N-215: what a folder’s yes would set, and its instructions, can be read; a no is taken back with /trust', async t => {
  const config = 'permission:\n  allow: [Bash(*)]\nollama:\n  host: http://elsewhere.example:1\n'
  const gopi = await openProgram(t, {
    files: { 'AGENTS.md': '# Be brief\nAlways run make.\n', '.gopi/config.yaml': config },
    replies: ['Hello.'],
  })
  const screen = openScreen(t, gopi, { rows: 40 })
  await screen.shows(/ollama\.host: http:\/\/elsewhere\.example:1[\s\S]*permission\.allow: Bash\(\*\)/)
  await screen.shows(/Always run make\./)
  await answer(screen, 'n', /Do you trust this folder\?/)
  assert.doesNotMatch((await screen.shows(/folder not trusted/)).join('\n'), /so its instructions/)
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
  const again = openScreen(t, gopi)
  const rows = (await again.shows(/not trusted: its[\s\S]*folder not trusted/))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
  assert.match(rows, /configuration are not used \(\/trust asks again\)/)
  assert.doesNotMatch(rows, /so its instructions/)
  await again.enter('/trust')
  await again.shows(/Do you trust this folder\?/)
  rmSync(path.join(gopi.cwd, '.gopi'), { recursive: true })
  await answer(again, 'y', /Do you trust this folder\?/)
  await again.shows(/This folder is trusted now: /)
  await again.enter('hi')
  await again.shows(/Hello\./)
  assert.match(gopi.system(0), /Always run make/)
  again.press(ctrlD)
  assert.equal(await again.ended, 0)
})

test('a wrong configuration is told on the normal screen', async t => {
  const gopi = await openProgram(t)
  mkdirSync(path.join(gopi.home, '.gopi'))
  writeFileSync(path.join(gopi.home, '.gopi', 'config.yaml'), 'tui:\n  keys:\n    sned: ctrl+s\n')
  const screen = openScreen(t, gopi)
  assert.equal(await screen.ended, 2)
  await screen.shows(/tui\.keys: expected the name of an action; came "sned"; did you mean send\?/)
})

test('SIGTERM and SIGHUP give the terminal back, end what runs, and keep the conversation', async t => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    const gopi = await openProgram(t, { replies: [call('bash', { command: 'echo $$ > pid; sleep 60' })] })
    const screen = openScreen(t, gopi, { args: ['--yolo'] })
    await screen.shows(/yolo · qwen/)
    await screen.enter('wait')
    await screen.shows(/● bash/)
    const pidFile = path.join(gopi.cwd, 'pid')
    await eventually('the command runs', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '')
    const gone = new Promise<number>(resolve =>
      screen.pty.onExit(({ exitCode, signal: by }) => resolve(by ? 128 + by : exitCode)),
    )
    process.kill(screen.pty.pid, signal)
    assert.equal(await gone, signal === 'SIGTERM' ? 143 : 129)
    if (signal === 'SIGTERM') await screen.shows(/gopi --resume/)
    const pid = Number(readFileSync(pidFile, 'utf8'))
    await eventually('the command has ended', () => spawnSync('kill', ['-0', String(pid)]).status !== 0)
    assert.ok(gopi.isWritten('agent_end'))
  }
})

test('the column at the side knows the model’s memory as soon as the server has read ahead', async t => {
  const gopi = await openProgram(t)
  const screen = openScreen(t, gopi, { columns: 160 })
  await screen.shows(/ready\n.*1 GB in memory, 100 % on the GPU/)
  assert.ok(gopi.server.chats.every(({ body }) => (body as ChatBody).options?.num_predict === 1))
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
})

test('leaving says which commands in the background end with gopi', async t => {
  const command = 'echo $$ > pid; sleep 600'
  const gopi = await openProgram(t, {
    replies: ['key', 'SIGTERM'].flatMap(() => [call('bash', { command }), 'It runs.']),
  })
  for (const leave of ['key', 'SIGTERM'] as const) {
    const screen = openScreen(t, gopi, { args: ['--yolo'] })
    await screen.shows(/yolo · qwen/)
    await screen.enter('go')
    const file = path.join(gopi.cwd, 'pid')
    await eventually('it has begun', () => existsSync(file) && readFileSync(file, 'utf8') !== '')
    screen.press('\x02')
    await screen.shows(/It runs\./)
    if (leave === 'key') screen.press(ctrlD)
    else process.kill(screen.pty.pid, leave)
    await screen.shows(/Ended with gopi \(1\): echo \$\$ > pid; sleep 600\n[\s\S]*gopi --resume/)
    await screen.ended
    const pid = readFileSync(file, 'utf8').trim()
    await eventually('the command has ended', () => spawnSync('kill', ['-0', pid]).status !== 0)
    rmSync(file)
  }
})

test('another session says which commands ended with the one before', async t => {
  const gopi = await openProgram(t, {
    replies: [call('bash', { command: 'sleep 600 & echo $! > pid; wait' }), 'It runs.', 'Hi.'],
  })
  const screen = openScreen(t, gopi, { args: ['--yolo'] })
  await screen.shows(/yolo · qwen/)
  await screen.enter('go')
  await eventually('it has begun', () => existsSync(path.join(gopi.cwd, 'pid')))
  screen.press('\x02')
  await screen.shows(/It runs\./)
  screen.press('/clear\r')
  const rows = await screen.shows(/Ended with the session before \(1\): sleep 600/)
  assert.ok(!rows.join('\n').includes('It runs.'))
  screen.press(ctrlD)
  await screen.ended
  assert.doesNotMatch(screen.text().join('\n'), /Ended with gopi/)
})

test('the prompt can be written in one’s own editor', async t => {
  const gopi = await openProgram(t, { replies: ['Ok.'] })
  const editor = path.join(gopi.home, 'editor')
  writeFileSync(editor, '#!/bin/sh\necho "EDITOR HAS IT"\nsed -i.bak "s/draft/polished/" "$1"\n')
  chmodSync(editor, 0o755)
  const screen = openScreen(t, gopi, { env: { EDITOR: editor } })
  await screen.shows(ready)
  screen.press('a draft')
  await screen.shows(/› a draft/)
  screen.press('\x07')
  await screen.shows(/› a polished/)
  screen.press('\r')
  await screen.shows(/Ok\./)
  assert.deepEqual(gopi.sent(0), ['a polished'])
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
})

test('a big paste is folded on the screen and sent whole', async t => {
  const gopi = await openProgram(t, { replies: ['Ok.'] })
  const screen = openScreen(t, gopi)
  await screen.shows(ready)
  const text = Array.from({ length: 214 }, (_, n) => `line ${n} 日本語`).join('\n')
  screen.press(`\x1b[200~${text}\x1b[201~`)
  await screen.shows(/› \[pasted.214.lines\]/)
  screen.press('\r')
  await screen.shows(/Ok\./)
  assert.deepEqual(gopi.sent(0), [text])
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
})

const tmuxIsThere = spawnSync('tmux', ['-V']).status === 0

interface Pane {
  text(): string
  shows(wanted: RegExp): Promise<void>
  press(...keys: string[]): void
}

async function openPane(t: TestContext, { cwd, env }: Program): Promise<Pane> {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-tmux-'))
  const tmux = (...words: string[]) =>
    execFileSync('tmux', ['-S', path.join(directory, 'socket'), '-f', '/dev/null', ...words], {
      ...{ env, encoding: 'utf8', cwd: directory },
    })
  t.after(() => {
    tmux('kill-server')
    rmSync(directory, { recursive: true })
  })
  tmux(
    '-u',
    'new-session',
    '-c',
    cwd,
    '-d',
    '-x',
    '80',
    '-y',
    '24',
    'PS1="shell> " bash --norc --noprofile -i',
  )
  const text = () => tmux('capture-pane', '-p')
  const shows = (wanted: RegExp) =>
    eventually('', () => wanted.test(text())).catch(() => {
      throw new Error(`${wanted} never came; there is:\n${text()}`)
    })
  await shows(/shell>/)
  return { text, shows, press: (...keys) => void tmux('send-keys', ...keys) }
}

test('in tmux: started from a shell, stopped by Ctrl+Z, back with fg, left, and the shell is as it was', {
  skip: tmuxIsThere ? false : 'tmux is not installed here',
}, async t => {
  const gopi = await openProgram(t, { replies: ['Hello **you**.'] })
  const pane = await openPane(t, gopi)
  pane.press(`${process.execPath} ${entry}`, 'Enter')
  await pane.shows(ready)
  pane.press('hi', 'Enter')
  await pane.shows(/Hello you\.[\s\S]*Say what/)
  pane.press('half')
  await pane.shows(/› half/)
  pane.press('C-z')
  await pane.shows(/Stopped[\s\S]*shell>\s*$/)
  pane.press('echo between', 'Enter', 'fg', 'Enter')
  await pane.shows(/Hello you\.[\s\S]*› half/)
  pane.press('C-c')
  await pane.shows(atRest)
  pane.press('C-d')
  await pane.shows(/Hello you\.[\s\S]*To go on with this session: gopi --resume \w+\nshell>/)
  pane.press('echo $?; stty -a | grep -c -- "-echo "', 'Enter')
  await pane.shows(/\n0\n0\n/)
})
