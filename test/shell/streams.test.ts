/** Background processes and long output. */
import assert from 'node:assert/strict'
import { createReadStream, existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { isAlive, openShell, until } from './session.ts'

const HELD = /^Background processes of this command go on/

test('a background process does not hold the result, and its command is told that it goes on', async t => {
  const { run } = openShell(t)
  const result = await run('sleep 1000 & echo started')
  assert.equal(result.output, 'started\n')
  assert.equal(result.exit_code, 0)
  assert.match(result.notes.join(), HELD)
  assert.deepEqual((await run('echo next')).notes, [])
})

test('a background process with output of its own is no news', async t => {
  const { run } = openShell(t)
  const { notes } = await run(
    "sh -c 'touch up; exec sleep 1000' >/dev/null 2>&1 & until [ -e up ]; do sleep 0.01; done",
  )
  assert.deepEqual(notes, [])
})

test('late output is not part of the next command, and comes as a note with it', async t => {
  const { run, cwd } = openShell(t)
  const file = path.join(cwd, 'go')
  await run(
    '{ until [ -e go ]; do sleep 0.01; done; echo late; printf "\\303"; printf "\\274\\n"; touch said; sleep 1000; } & :',
  )
  const next = await run('touch go; until [ -e said ]; do sleep 0.01; done; echo mine')
  assert.ok(existsSync(file))
  assert.equal(next.output, 'mine\n')
  const after = [...next.notes, ...(await run(':')).notes].join('\n')
  assert.match(after, /^Meanwhile the background of `\{ until .*…` wrote:\nlate\nü\n$/)
})

test('of much late output the last lines are told, and its writer is neither stopped nor killed', async t => {
  const { run, cwd } = openShell(t)
  await run(
    '{ until [ -e go ]; do sleep 0.01; done; seq 1 200000; touch said; sleep 1000; } & echo "$!" >pid',
  )
  writeFileSync(path.join(cwd, 'go'), '')
  await until(() => existsSync(path.join(cwd, 'said')))
  const { notes, output } = await run('cat pid')
  const [note = ''] = notes
  assert.match(note, /wrote:\n…[^…]*199999\n200000\n$/)
  assert.ok(note.length < 2200, `${note.length}`)
  assert.ok(isAlive(Number(output)))
})

test('a background process that writes all the time does not hold the result', async t => {
  const { run } = openShell(t)
  const result = await run('yes flood & sleep 0.05; echo done', { maxOutput: 200 })
  assert.equal(result.exit_code, 0)
  assert.match(result.notes.join(), HELD)
  assert.equal((await run('echo next; kill $!')).output, 'next\n')
})

test('a background process that has ended holds nothing', async t => {
  const { run } = openShell(t)
  for (let count = 0; count < 20; count++) {
    const { output, notes } = await run('echo x | cat & wait')
    assert.deepEqual([output, notes], ['x\n', []])
  }
})

test('100 MB of output: 64 of it in the file, which is said, head and tail in the result, memory bounded', async t => {
  const { run } = openShell(t)
  const before = process.memoryUsage().rss
  let live = 0
  let most = 0
  const result = await run('head -c 100000000 /dev/zero | tr "\\0" "x" | fold -w 99; echo end', {
    onOutput: text => {
      live += text.length
      most = Math.max(most, process.memoryUsage.rss())
    },
  })
  const size = 100_000_000 + Math.floor(100_000_000 / 99) + 4
  assert.equal(result.total_bytes, size)
  assert.equal(live, size)
  assert.match(result.output, /^x{99}\n[\s\S]*\n\[… 1\d\d,\d{3},\d{3} bytes left out …\]\n[\s\S]*xend\n$/)
  assert.ok(result.output.length < 8500)
  let spilled = 0
  for await (const chunk of createReadStream(result.spill ?? '')) spilled += chunk.length
  assert.equal(spilled, 64 * 1024 * 1024)
  assert.match(
    result.notes.join(),
    /at most 64 MB are kept of one output\); .*bash-.*\.txt ends after about 67108864 bytes/,
  )
  assert.ok(most - before < 150 * 1024 * 1024, `${(most - before) >> 20} MB`)
  assert.equal((await run('echo next')).output, 'next\n')
})

test('what the command wrote last is in the result although nothing waits for it', async t => {
  const { run } = openShell(t)
  for (let count = 0; count < 50; count++) {
    const { output } = await run('head -c 65536 /dev/zero | tr "\\0" x; echo; echo last', {
      maxOutput: 100_000,
    })
    assert.ok(output.endsWith('x\nlast\n') && output.length === 65542, `${output.length}`)
  }
})
