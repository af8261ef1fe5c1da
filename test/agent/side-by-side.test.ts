import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Access } from '../../src/protocol/access.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { gate } from '../support/demo/reply.ts'
import { openHouse } from '../support/house.ts'

const tick = () => new Promise(resolve => setImmediate(resolve))

/** A tool that says of itself what it touches, and counts how many of its calls run at once. */
function counted(enough: number) {
  const state = { running: 0, most: 0, order: [] as string[] }
  const touching: Tool = {
    name: 'touching',
    description: 'A tool of the test.',
    parameters: {
      type: 'object',
      properties: { what: { type: 'string' }, name: { type: 'string' } },
      required: [],
    },
    check: args => ({ ok: true, args: args as Record<string, unknown> }),
    access: ({ what }) => JSON.parse(String(what)) as Access[],
    async execute({ name }, { signal }) {
      state.most = Math.max(state.most, ++state.running)
      state.order.push(`${name}+`)
      // Node warns of the eleventh listener.
      for (let n = 0; n < 3; n++) signal.addEventListener('abort', () => {})
      // Until as many run as may, and then a little longer: more may not come.
      for (let n = 0; n < 500 && state.most < enough; n++) await tick()
      for (let n = 0; n < 20; n++) await tick()
      state.order.push(`${name}-`)
      state.running--
      return { output: String(name) }
    },
  }
  return { state, tools: [touching] }
}

const calling = (name: string, accesses: Access[]) => ({
  call: { name: 'touching', arguments: { name, what: JSON.stringify(accesses) } },
})

function warnings(t: TestContext): string[] {
  const found: string[] = []
  const listen = (warning: Error) => void found.push(`${warning.name}: ${warning.message}`)
  process.on('warning', listen)
  t.after(() => process.off('warning', listen))
  return found
}

test('at most eight calls run at once, whether they began before the end of the reply or after it', async t => {
  const found = warnings(t)
  const rows: [reply: (held: ReturnType<typeof gate>) => unknown[], opens: boolean][] = [
    [() => Array.from({ length: 20 }, (_, n) => calling(`${n}`, [{ none: true }])), false],
    [
      held => [
        ...Array.from({ length: 12 }, (_, n) => calling(`${n}`, [{ read: `${n}` }])),
        { gate: held },
        calling('last', [{ read: 'x' }]),
      ],
      true,
    ],
    [() => Array.from({ length: 20 }, (_, n) => calling(`${n}`, [{ unknown: 'x' }])), false],
    [
      () => [
        ...Array.from({ length: 10 }, (_, n) => calling(`r${n}`, [{ none: true }])),
        ...Array.from({ length: 10 }, (_, n) => calling(`u${n}`, [{ unknown: 'x' }])),
      ],
      false,
    ],
  ]
  for (const [reply, opens] of rows) {
    const held = gate()
    const { state, tools } = counted(8)
    const calls = reply(held)
    const { session } = await openHouse(t, { tools, replies: [calls as never, 'Done.'] })
    const run = session.prompt('go')
    if (opens) {
      await held.reached
      held.open()
    }
    assert.equal((await run).reason, 'done')
    assert.equal(state.most, 8)
  }
  await tick()
  assert.deepEqual(found, [])
})

test('calls keep their order where they would meet: on the shell, and on a file that one of them writes', async t => {
  const rows: [first: Access[], second: Access[], inOrder: boolean][] = [
    [[{ run: 'a' }], [{ run: 'b' }], true],
    [[{ write: 'a' }], [{ write: './x/../a' }], true],
    [[{ write: 'a' }], [{ read: 'a' }], true],
    [[{ read: 'a' }], [{ write: 'a' }], true],
    [[{ unknown: 'x' }, { read: 'b' }], [{ none: true }, { write: 'b' }], true],
    [[{ write: 'a' }], [{ write: 'b' }], false],
    [[{ read: 'a' }, { unknown: 'x' }], [{ read: 'a' }], false],
    [[{ run: 'a' }], [{ write: 'a' }], false],
    [[{ write: 'a' }], [{ run: 'a' }], true],
    [[{ unknown: 'x' }], [{ run: 'a' }], true],
    [[{ read: 'a' }], [{ run: 'a' }], false],
    [[{ unknown: 'x' }], [{ unknown: 'x' }], false],
  ]
  for (const [first, second, inOrder] of rows) {
    const { state, tools } = counted(2)
    const calls = [calling('1', first), calling('2', second)]
    const { session } = await openHouse(t, { tools, replies: [calls, 'Done.'] })
    await session.prompt('go')
    const text = JSON.stringify([first, second, state.order])
    assert.equal(state.most, inOrder ? 1 : 2, text)
    if (inOrder) assert.deepEqual(state.order, ['1+', '1-', '2+', '2-'], text)
  }
})
