import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilPrinted } from '../../src/cli/until.ts'
import { until } from '../../src/kit/jobs/until.ts'
import type { RunResult } from '../../src/session/session.ts'
import { EN } from '../../src/words/en.ts'
import { call, openHouse } from '../support/house.ts'

const { signal } = new AbortController()
const goal = 'test "$(cat made 2>/dev/null)" = 2 || { echo "made:1: want 2"; false; }'

test('--until: the command’s output is the next prompt, until it passes or the turns are used up', async t => {
  const house = await openHouse(t, {
    replies: [
      'First.',
      call('write', { path: 'made', content: '1' }),
      'Second.',
      call('write', { path: 'made', content: '2' }),
      'Third.',
      'More.',
      'And more.',
    ],
  })
  const { session } = house
  const run = (_: string, { work }: { work: Promise<RunResult> }) => work
  const first = await session.prompt('make 2')
  const result = await untilPrinted(session, first, { command: goal, words: EN, run, signal })
  assert.deepEqual([result.text, result.reason], ['Third.', 'done'])
  assert.match(
    house.sent(1).at(-1)?.content ?? '',
    /^The work is done when `test .* passes[\s\S]*made:1: want 2/,
  )
  assert.equal(session.messages.filter(({ role }) => role === 'user').length, 3)
  const never = await untilPrinted(
    session,
    { ...result, turns: session.maxTurns - 2 },
    { command: 'false', words: EN, run, signal },
  )
  assert.deepEqual([never.text, never.reason], ['And more.', 'limit'])
})

test('/until at a desk', async t => {
  const { session } = await openHouse(t, {
    replies: [call('write', { path: 'made', content: '2' }), 'Made.'],
  })
  const said: string[] = []
  const shown: string[] = []
  await until(
    {
      ...{ session, words: EN, isTyped: true, lend: undefined },
      place: { home: '', cwd: '', trusted: true, instructions: [], config: async () => '' },
      ...{
        show() {},
        note() {},
        tells: () => ({ add() {}, end() {} }),
        showChanges() {},
        put() {},
        end() {},
        confirm: async () => true,
        choose: async () => undefined,
      },
      say: sentence => void said.push(sentence),
      refuse: sentence => void said.push(sentence),
      during: (_, run) => run(signal),
      runs: () => ({ signal, onOutput() {}, end: ran => void shown.push(ran?.content ?? '') }),
      prompt: (text, as) => void session.prompt(text, { shown: as ?? '' }),
    },
    goal,
  )
  assert.deepEqual(said, [`${goal} fails; 25 turns are left.`, `${goal} passes.`])
  assert.match(shown[0] ?? '', /want 2/)
})
