/** What a face that is asked gets, and what its answers do. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { Approval, Verdict } from '../../src/agent/run.ts'
import { PlainFace } from '../../src/plain/plain.ts'
import { EN } from '../../src/words/en.ts'
import { type HouseOptions, nowhere, openHouse } from '../support/house.ts'

const bash = (command: string) => ({ name: 'bash', arguments: { command } })
const write = (file: string) => ({ name: 'write', arguments: { path: file, content: 'x\n' } })

/** A house in mode ask whose person gives these answers, one after the other; what was asked is kept. */
async function asked(t: Parameters<typeof openHouse>[0], answers: Verdict[], options: HouseOptions) {
  const approvals: Approval[] = []
  const house = await openHouse(t, {
    config: { permission: { mode: 'ask' } },
    async approve(approval) {
      approvals.push(approval)
      return answers.shift() ?? { allow: false }
    },
    ...options,
  })
  return { ...house, approvals }
}

test('who is asked hears why, whether there is an “always”, what it touches and which rules would allow it', async t => {
  const calls = [bash('npm test -- one && touch two'), write('sub/a.txt'), bash('sudo ls'), write('.envrc')]
  const { session, approvals, cwd } = await asked(t, [], { replies: [{ calls }, 'Done.'] })
  await session.prompt('go')
  const [line, edit, sudo, guarded] = approvals
  assert.deepEqual(line?.rules, {
    session: ['Bash(npm test -- one)', 'Bash(touch two)'],
    always: ['Bash(npm test:*)', 'Bash(touch two)'],
  })
  assert.match(line?.why ?? '', /npm/)
  assert.equal(line?.hard, false)
  assert.deepEqual(edit?.touches, [path.join(cwd, 'sub/a.txt')])
  assert.match(edit?.rules.session.join() ?? '', /^Edit\(.*\/sub\/a\.txt\)$/)
  assert.match(edit?.rules.always.join() ?? '', /^Edit\(.*\/sub\/\*\)$/)
  for (const dangerous of [sudo, guarded]) {
    assert.equal(dangerous?.hard, true, dangerous?.why)
    assert.deepEqual(dangerous?.rules, { session: [], always: [] })
  }
})

test('allowed for the session: the same call runs without asking, also one that was waiting; another asks', async t => {
  const calls = [bash('touch one'), bash('touch one'), bash('touch two')]
  const { session, approvals, home, cwd } = await asked(t, [{ allow: true, remember: 'session' }], {
    replies: [{ calls }, { calls: [bash('touch one')] }, 'Done.'],
  })
  await session.prompt('go')
  assert.deepEqual(
    approvals.map(({ call }) => call.arguments.command),
    ['touch one', 'touch two'],
  )
  assert.deepEqual([existsSync(path.join(cwd, 'one')), existsSync(path.join(cwd, 'two'))], [true, false])
  assert.equal(existsSync(path.join(home, 'config.yaml')), false)
})

test('saved: the rule holds at once and stands in the person’s config, comments kept', async t => {
  const answers: Verdict[] = [{ allow: true, remember: 'always' }]
  const first = await asked(t, answers, {
    replies: ['Hello.', { calls: [write('a.txt'), write('a.txt')] }, 'Done.'],
  })
  const file = path.join(first.home, 'config.yaml')
  await first.session.prompt('hello')
  writeFileSync(file, '# mine\npermission: # careful\n  mode: ask\n')
  await first.session.prompt('go')
  assert.equal(first.approvals.length, 1)
  const [rule] = first.approvals[0]?.rules.always ?? []
  assert.equal(
    readFileSync(file, 'utf8'),
    `# mine\npermission:\n  # careful\n  mode: ask\n  allow:\n    - ${JSON.stringify(rule)}\n`,
  )
})

test('a rule that cannot be saved holds for the session, and that is said', async t => {
  const { session, home, approvals, events } = await asked(t, [{ allow: true, remember: 'always' }], {
    replies: ['Hello.', { calls: [bash('touch one')] }, { calls: [bash('touch one')] }, 'Done.'],
  })
  await session.prompt('hello')
  writeFileSync(path.join(home, 'config.yaml'), 'permission: [')
  await session.prompt('go')
  assert.equal(approvals.length, 1)
  assert.ok(events.some(event => event.type === 'notice' && /holds for this session/.test(event.message)))
})

test('denied with a reason, the model hears it; denied with all that wait, nobody is asked about those', async t => {
  const calls = [bash('touch one'), write('two'), bash('touch three')]
  const { session, approvals, sent, cwd } = await asked(
    t,
    [
      { allow: false, because: 'use printf' },
      { allow: false, rest: true },
    ],
    { replies: [{ calls }, 'Done.'] },
  )
  await session.prompt('go')
  assert.equal(approvals.length, 2)
  const results = sent(1).filter(({ role }) => role === 'tool')
  assert.match(results[0]?.content ?? '', /use printf/)
  for (const result of results.slice(1)) assert.match(result.content, /said no/)
  assert.deepEqual(
    session.messages.flatMap(message => (message.role === 'tool' ? [message.details] : [])),
    [{ ended: 'denied', why: 'use printf' }, { ended: 'denied' }, { ended: 'denied' }],
    'what the person is told',
  )
  assert.deepEqual(
    ['one', 'two', 'three'].filter(name => existsSync(path.join(cwd, name))),
    [],
  )
})

test('a command that the person changed is judged anew and runs in its place, and the model is told', async t => {
  const changed = (command: string): Verdict => ({ allow: true, arguments: { command } })
  const calls = [bash('touch one'), bash('touch two'), bash('touch three'), bash('touch four')]
  const { session, approvals, sent, cwd } = await asked(
    t,
    [changed('touch uno'), changed('echo read only'), changed('rm -rf ~'), { allow: false }, changed('')],
    { replies: [{ calls }, 'Done.'] },
  )
  await session.prompt('go')
  assert.deepEqual(
    approvals.map(({ call, hard }) => [call.arguments.command, hard]),
    [
      ['touch one', false],
      ['touch two', false],
      ['touch three', false],
      ['rm -rf ~', true],
      ['touch four', false],
    ],
  )
  assert.deepEqual(
    ['uno', 'one', 'two', 'three', 'four'].filter(name => existsSync(path.join(cwd, name))),
    ['uno'],
  )
  const messages = sent(1)
  const results = messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []))
  assert.match(results[0] ?? '', /^The user changed this call before it ran\. What ran is: touch uno\n/)
  assert.match(results[1] ?? '', /What ran is: echo read only\n\nread only/)
  assert.match(results[2] ?? '', /said no/)
  const asWritten = messages.find(({ role }) => role === 'assistant')?.tool_calls ?? []
  assert.deepEqual(
    asWritten.map(call => call.function.arguments),
    calls.map(call => call.arguments),
    'what the model wrote stays',
  )
  const [first] = session.messages.flatMap(message => (message.role === 'tool' ? [message.details] : []))
  assert.equal((first as { ran?: string }).ran, 'touch uno')
})

test('of several calls that ask, each is told its place, and which come later; others are none', async t => {
  const calls = [
    bash('touch one'),
    { name: 'ls', arguments: {} },
    write('two'),
    bash('ls'),
    bash('touch three'),
  ]
  const { session, approvals } = await asked(t, [{ allow: true }], { replies: [{ calls }, 'Done.'] })
  await session.prompt('go')
  assert.deepEqual(
    approvals.map(({ among }) => [
      among?.before,
      among?.later.map(({ arguments: args }) => args.command ?? args.path),
    ]),
    [
      [0, ['two', 'touch three']],
      [1, ['touch three']],
      [2, []],
    ],
  )
})

test('of changes that are asked about later it is told how much they change, where that can be told', async t => {
  const calls = [
    write('a'),
    write('b'),
    { name: 'edit', arguments: { path: 'none', old: 'x', new: 'y' } },
    { name: 'edit', arguments: { path: 'c', old: 'one', new: 'two\nthree' } },
  ]
  const { session, approvals } = await asked(t, [], {
    files: { c: 'one\n' },
    replies: [{ calls: [{ name: 'read', arguments: { path: 'c' } }] }, { calls }, 'Done.'],
  })
  await session.prompt('go')
  const later = approvals[0]?.among?.later ?? []
  assert.deepEqual(
    later.map(({ arguments: args, added, removed }) => [args.path, added, removed]),
    [
      ['b', 1, 0],
      ['none', undefined, undefined],
      ['c', 2, 1],
    ],
  )
})

test('a wider rule says what of the session it would have let through, and holds when it is chosen', async t => {
  const { session, approvals } = await asked(
    t,
    [{ allow: true }, { allow: false }, { allow: true, remember: 'session', step: 1 }],
    {
      replies: [
        { calls: [bash('npm test -- a')] },
        { calls: [bash('touch x')] },
        { calls: [bash('npm test -- b')] },
        { calls: [bash('npm test -- c')] },
        'Done.',
      ],
    },
  )
  await session.prompt('go')
  assert.equal(approvals.length, 3)
  assert.deepEqual(approvals[2]?.wider, [
    { rules: ['Bash(npm test -- b)'], earlier: [] },
    { rules: ['Bash(npm test:*)'], earlier: ['npm test -- a'] },
    { rules: ['Bash(npm:*)'], earlier: ['npm test -- a'] },
  ])
})

test('a redirect over a file of somebody’s asks in every mode; over one that this session wrote it does not', async t => {
  const { session, approvals, cwd } = await asked(t, [], {
    config: { permission: { mode: 'yolo' } },
    files: { 'theirs.txt': 'old' },
    replies: [
      { calls: [bash('echo a > mine.txt')] },
      { calls: [bash('echo b > mine.txt')] },
      { calls: [write('written.txt')] },
      { calls: [bash('echo c > written.txt')] },
      { calls: [bash('echo d > theirs.txt')] },
      'Done.',
    ],
  })
  await session.prompt('go')
  assert.deepEqual(
    approvals.map(({ call, hard }) => [call.arguments.command, hard]),
    [['echo d > theirs.txt', true]],
  )
  const read = (name: string) => readFileSync(path.join(cwd, name), 'utf8')
  assert.deepEqual([read('mine.txt'), read('written.txt'), read('theirs.txt')], ['b\n', 'c\n', 'old'])
})

test('the line mode offers the letters that do something, and reads them', async t => {
  const rows: [typed: string, command: string, offered: RegExp, ran: boolean, told: RegExp][] = [
    ['y', 'touch one', /a, for this session: Bash\(touch one\)[\s\S]*\(y, a, s, n,/, true, /./],
    ['a', 'touch one', /\(y, a, s, n,/, true, /./],
    ['n', 'touch one', /\(y, a, s, n,/, false, /said no/],
    ['e use printf', 'touch one', /\(y, a, s, n,/, false, /says: use printf/],
    ['use printf', 'touch one', /\(y, a, s, n,/, false, /says: use printf/],
    // What the hard class does not offer is no yes.
    ['s', 'touch one; sudo -n true', /\(y, n,/, false, /said no/],
  ]
  for (const [typed, command, offered, ran, told] of rows) {
    const [input, output] = [new PassThrough(), new PassThrough()].map(s => Object.assign(s, { isTTY: true }))
    assert.ok(input && output)
    const face = new PlainFace({ input, output, onInterrupt: () => () => {}, colour: false, words: EN })
    const house = await openHouse(t, {
      config: { permission: { mode: 'ask' } },
      replies: [{ calls: [bash(command)] }, 'Done.'],
      approve: face.approve,
    })
    let written = ''
    output.on('data', piece => {
      written += piece
      if (/Run it\?/.test(piece)) input.write(`${typed}\n`)
      if (/Done\./.test(written)) input.end()
    })
    await face.talk(house.session, { first: 'go', showTokens: false, commands: [], place: nowhere })
    assert.match(written, offered)
    assert.equal(existsSync(path.join(house.cwd, 'one')), ran, typed)
    assert.match(house.sent(1).find(({ role }) => role === 'tool')?.content ?? '', told)
  }
})
