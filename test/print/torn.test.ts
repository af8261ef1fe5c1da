import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { printer } from '../../src/print/print.ts'
import { EN } from '../../src/words/en.ts'
import { told } from '../../src/words/sayings/told.ts'
import { gate } from '../support/demo/reply.ts'
import { openHouse } from '../support/house.ts'

test('what is told while an answer streams begins a line of its own on the same screen, and only there', async t => {
  for (const onScreen of [true, false]) {
    const held = gate()
    const { session } = await openHouse(t, { replies: [['An ', { gate: held }, 'answer.']] })
    let shown = ''
    const screen = (isTTY: boolean) =>
      Object.assign(
        new Writable({
          write(chunk, _, done) {
            shown += chunk
            done()
          },
        }),
        { isTTY },
      )
    const run = printer(session, {
      ...{ format: 'text', words: EN },
      ...{ stdout: screen(true), stderr: screen(onScreen) },
    })('go')
    await held.reached
    while (!shown.includes('An')) await new Promise(setImmediate)
    session.notice(told('context.cpu', { model: 'm' }))
    session.notice(told('context.cpu', { model: 'n' }))
    held.open()
    await run
    assert.match(
      shown,
      onScreen ? /^An \ngopi: m .*\ngopi: n .*\nanswer\.\n$/ : /^An gopi: m .*\ngopi: n .*\nanswer\.\n$/,
    )
  }
})
