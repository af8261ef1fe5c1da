import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Asked, createSpeed, type Speed } from '../../src/backends/speed.ts'
import type { Metrics } from '../../src/protocol/wire.ts'
import { memory } from '../support/memory.ts'

/** A machine with a fixed cost and a rate, whose times scatter by a tenth; it really reads `read` of the prompt. */
function machine({ fixed, rate, idle = 70 }: { fixed: number; rate: number; idle?: number }) {
  let seed = 1
  const scatter = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return 0.95 + (seed % 1000) / 10_000
  }
  return (prompt_tokens: number, read: number, more: Partial<Metrics> = {}): Metrics => ({
    prompt_tokens,
    completion_tokens: 50,
    load_ms: idle * scatter(),
    prefill_ms: (fixed + (read * 1000) / rate) * scatter(),
    decode_ms: 50 * 40 * scatter(),
    total_ms: 0,
    ...more,
  })
}

const laptop = machine({ fixed: 18, rate: 420 })
const workstation = machine({ fixed: 12, rate: 3500 })
const opening: Asked = { expected: 1000, unseen: 0 }

/** A session as it goes: a load, then turns with some new text each. */
function learnSession(speed: Speed, on: ReturnType<typeof machine>): void {
  speed.learn(on(1000, 1000, { load_ms: 4000 }), opening)
  for (const [turn, fresh] of [20, 300, 700, 15, 150, 40, 2000, 30].entries()) {
    speed.learn(on(1500 + turn * 400, fresh + 40), { expected: fresh + 40, unseen: fresh })
  }
}

/** Tokens a second that it reads, as far as it was learned. */
function rateOf({ eta_ms }: Speed): number | undefined {
  const [least, most] = [eta_ms(0), eta_ms(1_000_000)]
  return least === undefined || most === undefined ? undefined : 1e9 / (most - least)
}

const isNear = (value: number | undefined, wanted: number, share: number) =>
  assert.ok(
    value !== undefined && Math.abs(value - wanted) <= wanted * share,
    `${value} is not about ${wanted}`,
  )

for (const [name, on, rate] of [
  ['a laptop', laptop, 420],
  ['a workstation', workstation, 3500],
] as const) {
  test(`${name}: its rates are learned in one session, and kept`, () => {
    const kept = memory()
    learnSession(createSpeed({ memory: kept, key: 'k' }), on)
    const speed = createSpeed({ memory: kept, key: 'k' })
    isNear(rateOf(speed), rate, 0.1)
    isNear(speed.eta_ms(1000), 15 + 1_000_000 / rate, 0.15)
    assert.equal(createSpeed({ memory: kept, key: 'another model' }).eta_ms(1), undefined)
  })
}

test('loads teach the rate: everything was read; but a few readings foretell nothing', () => {
  const speed = createSpeed({ memory: memory(), key: 'k' })
  assert.equal(speed.eta_ms(100), undefined)
  for (let n = 0; n < 2; n++) {
    speed.learn(laptop(1000, 1000, { load_ms: 4000 }), opening)
    assert.equal(speed.eta_ms(100), undefined)
  }
  speed.learn(laptop(1000, 1000, { load_ms: 4000 }), opening)
  isNear(rateOf(speed), 420, 0.15)
})

test('a request that stood in line while the model was loaded for another one teaches nothing', () => {
  const speed = createSpeed({ memory: memory(), key: 'k' })
  for (let n = 0; n < 3; n++) {
    speed.learn(laptop(1000, 1000, { load_ms: 4000 }), opening)
    const waited = laptop(1010, 4, { load_ms: 7000 })
    const asked = { expected: 10, unseen: 4, isBehind: true }
    assert.equal(speed.reading(waited, asked).reloaded, false)
    speed.learn(waited, asked)
  }
  isNear(rateOf(speed), 420, 0.15)
})

describe('what spoils figures does not spoil the rate', () => {
  const rows: Record<string, (speed: Speed) => void> = {
    'hits of which nothing is known': speed => {
      for (let n = 0; n < 100; n++) speed.learn(laptop(8000, 1), { expected: 8000, unseen: 0 })
    },
    'hits of text that was new for us, but not for the server': speed => {
      for (let n = 0; n < 5; n++) speed.learn(laptop(8000, 1), { expected: 3000, unseen: 2900 })
    },
    'misses that nobody expected': speed => {
      for (let n = 0; n < 12; n++) speed.learn(laptop(8000, 7900), { expected: 200, unseen: 180 })
    },
    'a lid that was closed while the server read': speed => {
      speed.learn(laptop(8000, 500, { prefill_ms: 3_600_000 }), { expected: 500, unseen: 480 })
    },
    'servers that tell no times': speed => {
      for (let n = 0; n < 30; n++) {
        speed.learn(laptop(500, 500, { prefill_ms: 0, decode_ms: 0 }), { expected: 500, unseen: 480 })
      }
    },
  }
  for (const [name, spoil] of Object.entries(rows)) {
    test(name, () => {
      const speed = createSpeed({ memory: memory(), key: 'k' })
      learnSession(speed, laptop)
      for (let n = 0; n < 8; n++) speed.learn(laptop(4000, 400), { expected: 400, unseen: 390 })
      spoil(speed)
      isNear(rateOf(speed), 420, 0.15)
    })
  }
})

test('a machine that has become slower is noticed', () => {
  const speed = createSpeed({ memory: memory(), key: 'k' })
  learnSession(speed, workstation)
  for (let n = 0; n < 24; n++) speed.learn(laptop(4000, 600), { expected: 600, unseen: 590 })
  isNear(rateOf(speed), 420, 0.15)
})

describe('what was read', () => {
  interface Row {
    on: ReturnType<typeof machine>
    prompt: number
    really: number
    expected: number
    /** What is said: exactly what was expected, or about what was really read. */
    said: 'expected' | 'really'
    missed?: true
    load_ms?: number
  }
  const rows: Record<string, Row> = {
    'as expected': { on: laptop, prompt: 5000, really: 320, expected: 300, said: 'expected' },
    'as expected, with little to read': {
      on: laptop,
      prompt: 5000,
      really: 1,
      expected: 12,
      said: 'expected',
    },
    'all of it, though little was expected': {
      on: laptop,
      prompt: 5000,
      really: 5000,
      expected: 50,
      said: 'really',
      missed: true,
    },
    'some more than expected is no miss': {
      on: laptop,
      prompt: 5000,
      really: 500,
      expected: 180,
      said: 'really',
    },
    'nearly nothing, though all was expected (a resumed session)': {
      on: laptop,
      prompt: 5000,
      really: 20,
      expected: 5000,
      said: 'really',
    },
    'a fast machine read again': {
      on: workstation,
      prompt: 9000,
      really: 9000,
      expected: 100,
      said: 'really',
      missed: true,
    },
    'a fast machine: too short a time to tell': {
      on: workstation,
      prompt: 600,
      really: 330,
      expected: 20,
      said: 'expected',
    },
    'a load: all of it': {
      on: laptop,
      prompt: 3000,
      really: 3000,
      expected: 40,
      said: 'really',
      missed: true,
      load_ms: 2500,
    },
  }
  for (const [name, { on, prompt, really, expected, said, missed = false, load_ms }] of Object.entries(
    rows,
  )) {
    test(name, () => {
      const speed = createSpeed({ memory: memory(), key: 'k' })
      learnSession(speed, on)
      const metrics = on(prompt, really, load_ms === undefined ? {} : { load_ms })
      const reading = speed.reading(metrics, { expected, unseen: 0 })
      if (said === 'expected') assert.equal(reading.read_tokens, expected)
      else
        assert.ok(
          Math.abs(reading.read_tokens - really) <= Math.max(50, really * 0.15),
          String(reading.read_tokens),
        )
      assert.equal(reading.read_tokens + reading.reused_tokens, prompt)
      assert.equal(reading.estimated, true)
      assert.equal(reading.missed, missed)
      assert.equal(reading.reloaded, load_ms !== undefined)
    })
  }

  test('before anything was learned it is what was expected, never more than there is', () => {
    const speed = createSpeed({ memory: memory(), key: 'k' })
    for (const [expected, said] of [
      [70, 70],
      [0, 1],
      [900, 500],
    ] as const) {
      const { read_tokens, reused_tokens, missed } = speed.reading(laptop(500, 500), { expected, unseen: 0 })
      assert.deepEqual([read_tokens, reused_tokens, missed], [said, 500 - said, false])
    }
  })

  test('a server that needs no time has missed nothing', () => {
    const speed = createSpeed({ memory: memory(), key: 'k' })
    const instant = machine({ fixed: 0.05, rate: 1e7, idle: 0 })
    learnSession(speed, instant)
    const { missed, read_tokens } = speed.reading(instant(9000, 9000, { prefill_ms: 3 }), {
      expected: 30,
      unseen: 0,
    })
    assert.deepEqual([missed, read_tokens], [false, 30])
  })
})

test('nothing that memory says is believed unless it can be', () => {
  const damaged: unknown[] = [
    'x',
    [],
    { long: 'x', short: [1], decode: ['y'], idle: null },
    {
      long: [{ tokens: 0, ms: 5 }, { tokens: -3, ms: 5 }, { tokens: 3 }, { tokens: 1e300, ms: 1 }],
      decode: [-1],
    },
  ]
  for (const k of damaged) {
    const speed = createSpeed({ memory: memory({ k }), key: 'k' })
    assert.equal(speed.eta_ms(9), undefined)
    for (let n = 0; n < 3; n++) speed.learn(laptop(1000, 1000, { load_ms: 4000 }), opening)
    isNear(rateOf(speed), 420, 0.15)
  }
})

test('what is kept stays small', () => {
  let size = 0
  const speed = createSpeed({
    memory: { recall: () => undefined, keep: (_, value) => void (size = JSON.stringify(value).length) },
    key: 'k',
  })
  for (let n = 0; n < 500; n++) speed.learn(laptop(4000, 40 + n), { expected: 40 + n, unseen: 30 + n })
  assert.ok(size > 100 && size < 8000, `${size} characters`)
})
