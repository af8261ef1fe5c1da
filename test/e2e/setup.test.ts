import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { entry, eventually, openProgram } from '../support/program.ts'
import { openScreen, type Screen } from '../support/screen.ts'
import { ctrlD } from '../support/terminal.ts'

const question = /Set it up now\?/
const atRest = /Say what you want done/

/** A gopi where nobody answers, and an `ollama` on PATH that serves the demo. */
async function withoutServer(t: TestContext) {
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  await new Promise(resolve => free.close(resolve))
  // The first to run, before the home is gone.
  t.after(() => isRunning(pid()) && process.kill(pid(), 'SIGKILL'))
  const gopi = await openProgram(t, { env: { OLLAMA_HOST: `127.0.0.1:${port}` } })
  const [bin, pids] = [path.join(gopi.home, 'bin'), path.join(gopi.home, 'pids')]
  mkdirSync(bin)
  writeFileSync(
    path.join(bin, 'ollama'),
    `#!/bin/bash\n[ "$1" = serve ] || exit 9\necho "serving at $OLLAMA_HOST"\necho $$ >>'${pids}'\nexec '${process.execPath}' '${entry}' demo --port ${port}\n`,
    { mode: 0o755 },
  )
  const pid = () => Number(readFileSync(pids, 'utf8').trim().split('\n').at(-1))
  return { gopi: { ...gopi, env: { ...gopi.env, PATH: `${bin}:${gopi.env.PATH}` } }, pid }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Says yes to the question, once it takes keys, and starts the server. */
async function startServer(screen: Screen): Promise<void> {
  await screen.shows(question)
  await new Promise(resolve => setTimeout(resolve, 350))
  screen.press('y')
  await screen.shows(/ {2}s {2}start it: .*ollama serve/)
  screen.press('s')
  await screen.shows(rows => atRest.test(rows.join('\n')) && rows.join('\n').includes('qwen2.5-coder:7b'))
}

test('a server is offered, started and stopped; one that dies, or is not there the next time, is offered again', async t => {
  const { gopi, pid } = await withoutServer(t)
  const first = openScreen(t, gopi)
  await startServer(first)
  await first.enter('hello')
  await first.shows(/› hello[\s\S]*took[\s\S]*Say what/)
  assert.match(readFileSync(path.join(gopi.home, '.gopi', 'logs', 'ollama.log'), 'utf8'), /serving at http/)
  const lost = pid()
  process.kill(lost, 'SIGKILL')
  await eventually('the server is gone', () => !isRunning(lost))
  await first.enter('once more')
  await startServer(first)
  assert.notEqual(pid(), lost)
  first.press('/retry\r')
  await first.shows(/› once more[\s\S]*took[\s\S]*Say what/)
  first.press(ctrlD)
  await first.shows(/Ollama goes on running\. s stops it/)
  first.press('s')
  await first.shows(/Ollama is stopped\./)
  assert.equal(await first.ended, 0)
  await eventually('the server that gopi started is stopped', () => !isRunning(pid()))

  const second = openScreen(t, gopi)
  await second.shows(/No Ollama answers[\s\S]*Set it up now\?/)
  await new Promise(resolve => setTimeout(resolve, 350))
  second.press('n')
  await second.shows(atRest)
  second.press(ctrlD)
  assert.equal(await second.ended, 0)
})

test('of a server that has died nobody is asked whether it is to go on running', async t => {
  const { gopi, pid } = await withoutServer(t)
  const screen = openScreen(t, gopi)
  await startServer(screen)
  process.kill(pid(), 'SIGKILL')
  await eventually('the server is gone', () => !isRunning(pid()))
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
  assert.doesNotMatch(screen.text().join('\n'), /goes on running/)
})
