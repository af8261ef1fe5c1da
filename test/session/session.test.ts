import assert from 'node:assert/strict'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { listSessions, sessionsDirectory } from '../../src/session/store.ts'
import { builtinTools } from '../../src/tools/list.ts'
import { toWire } from '../../src/tools/tool.ts'
import { gate } from '../support/demo/reply.ts'
import { call, openHouse, readJournal } from '../support/house.ts'
import { eventually } from '../support/program.ts'

interface Body {
  model: string
  messages: { role: string; content: string }[]
  tools?: unknown
  format?: unknown
  think: unknown
  truncate: unknown
  shift?: unknown
  keep_alive: unknown
  options: Record<string, unknown>
}

test('a resumed session sends the same bytes as before and goes on', async t => {
  const first = await openHouse(t, {
    files: { 'a.txt': 'x' },
    instructions: ['Be brief.'],
    replies: [call('read', { path: 'a.txt' }), 'It holds x.'],
  })
  await first.session.prompt('read it')
  await first.session.close()

  const second = await openHouse(t, {
    before: first,
    resume: { last: true },
    instructions: ['These instructions are new and must wait for the next session.'],
    replies: ['Again.'],
  })
  await second.session.prompt('and now?')
  assert.equal(second.session.id, first.session.id)
  const before = first.server.chats[1]?.body as Body
  const after = second.server.chats[0]?.body as Body
  assert.deepEqual(after.tools, before.tools)
  assert.deepEqual(after.options, before.options)
  assert.equal(
    JSON.stringify(after.messages.slice(0, before.messages.length)),
    JSON.stringify(before.messages),
    'what was sent is sent again, byte for byte',
  )
  assert.deepEqual(second.server.violations, [])
  const types = second.journal().map(({ type }) => type)
  assert.equal(types.filter(type => type === 'header').length, 1)
  assert.equal(types.filter(type => type === 'prompt').length, 1)
})

test('every request keeps the one system message, the tools and the options, and says what Ollama must not do', async t => {
  const { session, server } = await openHouse(t, {
    replies: [call('ls', {}), 'one', call('bash', { command: 'echo hi' }), 'two'],
  })
  await session.prompt('first')
  await session.prompt('second')
  const bodies = server.chats.map(({ body }) => body as Body)
  assert.equal(bodies.length, 4)
  const { messages: _, ...fixed } = bodies[0] as Body
  for (const body of bodies) {
    const { messages, ...rest } = body
    assert.deepEqual(rest, fixed)
    assert.equal(messages.filter(({ role }) => role === 'system').length, 1)
    assert.deepEqual(
      [body.truncate, body.think, body.keep_alive, 'shift' in body, body.options.num_ctx],
      [false, false, '30m', false, 32_768],
    )
  }
  for (const [n, { messages }] of bodies.slice(0, -1).entries()) {
    assert.equal(JSON.stringify(bodies[n + 1]?.messages.slice(0, messages.length)), JSON.stringify(messages))
  }
})

test('a journal that a crash tore in the middle of a tool goes on, and the mending is written down once', async t => {
  const first = await openHouse(t, { replies: [call('bash', { command: 'echo begun; sleep 60' })] })
  void first.session.prompt('start')
  await first.seen(event => event.type === 'tool_output')
  const file = first.session.sessionFile ?? ''
  const torn = readFileSync(file, 'utf8')
  await first.session.close()
  writeFileSync(file, `${torn}{"type":"mess`)

  for (const prompt of ['go on', 'and on']) {
    const next = await openHouse(t, { before: first, resume: { last: true }, replies: ['Fine.'] })
    assert.equal((await next.session.prompt(prompt)).text, 'Fine.')
    assert.deepEqual(next.server.violations, [])
    assert.match(next.sent(0)[2]?.content ?? '', /aborted/)
    await next.session.close()
  }
  const results = readFileSync(file, 'utf8').match(/"role":"tool"/g)
  assert.equal(results?.length, 1)
})

test('a resumed session whose tools are others tells the model of those', async t => {
  const first = await openHouse(t, { replies: ['One.'] })
  await first.session.prompt('one')
  await first.session.close()
  const tools = builtinTools().slice(0, 2)
  const next = await openHouse(t, { before: first, resume: { last: true }, tools, replies: ['Two.'] })
  await next.session.prompt('two')
  const body = next.server.chats[0]?.body as Body | undefined
  assert.deepEqual(body?.tools, tools.map(toWire))
})

test('a session that another gopi holds is gone on with in a copy; --fork copies too', async t => {
  const first = await openHouse(t, { replies: ['One.'] })
  await first.session.prompt('one')
  const lock = path.join(path.dirname(first.session.sessionFile ?? ''), first.session.id, 'lock')
  rmSync(lock)
  writeFileSync(lock, String(process.ppid))

  const copy = await openHouse(t, { before: first, resume: { last: true }, replies: ['Two.'] })
  await copy.session.prompt('two')
  assert.notEqual(copy.session.id, first.session.id)
  assert.deepEqual(
    copy.sent(0).map(({ content }) => content),
    ['one', 'One.', 'two'],
  )
  assert.ok(copy.events.some(event => event.type === 'notice' && /open in another gopi/.test(event.message)))

  const fork = await openHouse(t, {
    before: first,
    resume: { fork: copy.session.id.slice(0, 4) },
    replies: ['Three.'],
  })
  await fork.session.prompt('three')
  assert.equal(fork.sent(0).length, 5)
  assert.equal(listSessions(sessionsDirectory(first.home, first.cwd)).length, 3)
  const [header] = fork.journal()
  assert.equal(header?.type === 'header' && header.id, fork.session.id)
})

test('a session that is not there, or whose prefix is not unique, is a usage error', async t => {
  const first = await openHouse(t, { replies: ['One.'] })
  await first.session.prompt('one')
  await first.session.close()
  await assert.rejects(openHouse(t, { before: first, resume: { id: 'zzz-none' } }), /no session "zzz-none"/)
  writeFileSync(path.join(path.dirname(first.session.sessionFile ?? ''), `${first.session.id}x.jsonl`), '\n')
  await assert.rejects(
    openHouse(t, { before: first, resume: { id: first.session.id.slice(0, 5) } }),
    /beginning of 2/,
  )
  const exact = await openHouse(t, { before: first, resume: { id: first.session.id } })
  assert.equal(exact.session.id, first.session.id)
})

test('--continue without a session begins a new one and says so', async t => {
  const { session, events } = await openHouse(t, { resume: { last: true }, replies: ['Hi.'] })
  await session.prompt('hi')
  assert.ok(events.some(event => event.type === 'notice' && event.code === 'resume'))
})

test('a model without tools is talked to in react from the start, said once', async t => {
  const { session, server, events } = await openHouse(t, {
    server: { models: [{ name: 'scripted', capabilities: ['completion'] }] },
    files: { 'a.txt': 'x' },
    replies: [
      'Thought: look\nAction: read\nAction Input: {"path": "a.txt"}\nObservation: invented',
      'Final Answer: It holds x.',
    ],
  })
  const result = await session.prompt('what is in a.txt?')
  assert.equal(result.text.trim(), 'It holds x.')
  const body = server.chats[1]?.body as Body
  assert.equal(body.tools, undefined)
  assert.match(body.messages[0]?.content ?? '', /Action Input/)
  assert.deepEqual(
    body.messages.slice(1).map(({ role }) => role),
    ['user', 'assistant', 'user'],
  )
  assert.match(body.messages[3]?.content ?? '', /^Observation: [\s\S]*x/)
  assert.equal(events.filter(event => event.type === 'notice' && event.code === 'no_tools').length, 1)
  const deltas = events
    .filter(event => event.type === 'message_delta')
    .map(({ text }) => text)
    .join('')
  assert.doesNotMatch(deltas, /Thought|Action|Final Answer|Observation/)
})

test('a 400 about tools at chat time switches the session to react and asks again at once, said once', async t => {
  const { session, server, events, journal } = await openHouse(t, {
    replies: [
      {
        failure: { status: 400, error: 'registry.ollama.ai/library/scripted:latest does not support tools' },
      },
      'Hello.',
      'Again.',
    ],
  })
  assert.equal((await session.prompt('hi')).text, 'Hello.')
  await session.prompt('more')
  assert.deepEqual(
    server.chats.map(({ body }) => (body as Body).tools !== undefined),
    [true, false, false],
  )
  assert.equal(events.filter(event => event.type === 'notice' && event.code === 'no_tools').length, 1)
  const changes = journal().flatMap(entry => (entry.type === 'model_change' ? [entry.tool_calling] : []))
  assert.deepEqual(changes, ['native', 'react'])
})

test('a forced dialect that the model refuses ends the run', async t => {
  const { session } = await openHouse(t, {
    config: { ollama: { tool_calling: 'native' } },
    replies: [
      {
        failure: { status: 400, error: 'registry.ollama.ai/library/scripted:latest does not support tools' },
      },
    ],
  })
  const result = await session.prompt('hi')
  assert.deepEqual([result.reason, result.error?.code], ['error', 'no_tools'])
})

test('json: one object per reply, forced by format', async t => {
  const { session, server } = await openHouse(t, {
    config: { ollama: { tool_calling: 'json' } },
    files: { 'a.txt': 'x' },
    replies: [
      JSON.stringify({
        a_kind: 'call',
        b_text: '',
        c_calls: [{ a_name: 'read', b_arguments: { path: 'a.txt' } }],
      }),
      JSON.stringify({ a_kind: 'chat', b_text: 'It holds x.', c_calls: [] }),
    ],
  })
  assert.equal((await session.prompt('what is in a.txt?')).text, 'It holds x.')
  const body = server.chats[1]?.body as Body
  assert.ok(body.format)
  assert.match(body.messages[3]?.content ?? '', /^Result of read:/)
  assert.deepEqual(server.violations, [])
})

test('a malformed call that the server reports is re-asked with a note, twice at most', async t => {
  const failure = { failure: { status: 500, error: 'failed to parse JSON: unexpected end of JSON input' } }
  const good = await openHouse(t, { replies: [failure, failure, 'Sorry.'] })
  assert.equal((await good.session.prompt('hi')).text, 'Sorry.')
  assert.match(good.sent(2)[0]?.content ?? '', /^hi\n\nYour last tool call was malformed/)
  const bad = await openHouse(t, { replies: [failure, failure, failure] })
  assert.equal((await bad.session.prompt('hi')).reason, 'error')
  assert.equal(bad.server.chats.length, 3)
})

test('a stream that breaks keeps what was said, ends the run in one sentence, and the next prompt works', async t => {
  const { session, sent, journal } = await openHouse(t, {
    replies: [
      ['half of ', 'it', { error: 'an error was encountered while running the model: unexpected EOF' }],
      'Whole.',
    ],
  })
  const result = await session.prompt('hi')
  assert.equal(result.reason, 'error')
  assert.doesNotMatch(result.error?.message ?? '\n', /\n/)
  const kept = journal().find(entry => entry.type === 'message' && entry.role === 'assistant')
  assert.equal(kept?.type === 'message' && kept.content, 'half of it')
  assert.equal((await session.prompt('again')).text, 'Whole.')
  assert.deepEqual(
    sent(1).map(({ role }) => role),
    ['user', 'assistant', 'user'],
  )
})

test('without a server the prompt is kept, the run ends with no_server, and a later prompt tries again', async t => {
  const { session, server, journal } = await openHouse(t, { replies: ['Here.'] })
  await server.close()
  const result = await session.prompt('are you there?')
  assert.deepEqual([result.reason, result.error?.code], ['error', 'no_server'])
  assert.match(result.error?.message ?? '', /ollama serve.*gopi --demo/)
  assert.deepEqual(
    journal().map(({ type }) => type),
    ['header', 'mode_change', 'agent_start', 'message', 'error', 'agent_end'],
  )
  assert.equal((await session.prompt('and now?')).error?.code, 'no_server')
})

test('a server that was away at the start is found again by what is typed', async t => {
  const relay = createServer(socket => {
    const { port, hostname } = new URL(house.server.host)
    const behind = connect(Number(port), hostname)
    socket.pipe(behind).pipe(socket)
    for (const end of [socket, behind]) end.on('error', () => {})
  })
  const listen = (port: number) => new Promise<void>(resolve => relay.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = relay.address() as AddressInfo
  await new Promise(resolve => relay.close(resolve))
  const house = await openHouse(t, {
    config: { ollama: { host: `http://127.0.0.1:${port}` } },
    replies: ['Here.'],
  })
  await assert.rejects(house.session.connect())
  await listen(port)
  t.after(() => relay.close())
  house.session.draft('are you', { typed: 'are you' })
  await eventually('it is found', () => house.session.setup !== undefined)
  assert.ok(house.events.some(({ type }) => type === 'model_change'))
})

test('a named model is never replaced; a default that is not installed is, and that is said', async t => {
  const server = { models: ['other:1b', 'qwen3:8b'] }
  const named = await openHouse(t, { server, modelNamed: true })
  assert.equal((await named.session.prompt('hi')).error?.code, 'no_model')
  const free = await openHouse(t, { server, modelNamed: false, replies: ['Hi.'] })
  assert.equal((await free.session.prompt('hi')).text, 'Hi.')
  assert.equal(free.session.model, 'qwen3:8b')
  assert.ok(free.events.some(event => event.type === 'notice' && /using qwen3:8b/.test(event.message)))
})

test('thinking is shown as thinking, and asked for only when it is wanted', async t => {
  const { session, server, events } = await openHouse(t, {
    server: { models: [{ name: 'scripted', capabilities: ['completion', 'tools', 'thinking'] }] },
    config: { ollama: { think: 'on' } },
    replies: [{ thinking: 'Let me see.', text: 'Forty-two.' }],
  })
  assert.equal((await session.prompt('?')).text, 'Forty-two.')
  const body = server.chats[0]?.body as Body | undefined
  assert.equal(body?.think, true)
  const thought = events
    .filter(event => event.type === 'thinking_delta')
    .map(({ text }) => text)
    .join('')
  assert.equal(thought, 'Let me see.')
})

test('without a journal nothing lies on disk until it is saved', async t => {
  const { session, home } = await openHouse(t, { keep: false, replies: ['Hi.'] })
  await session.prompt('hi')
  assert.equal(session.sessionFile, undefined)
  assert.equal(existsSync(path.join(home, 'sessions')), false)
  const file = await session.save()
  assert.equal(session.sessionFile, file)
  assert.equal(readJournal(file).at(-1)?.type, 'agent_end')
})

test('a journal that cannot be written is said once, and the conversation goes on', async t => {
  const first = await openHouse(t, { replies: [] })
  await first.session.close()
  rmSync(path.join(first.home, 'sessions'), { recursive: true, force: true })
  mkdirSync(first.home, { recursive: true })
  writeFileSync(path.join(first.home, 'sessions'), 'in the way')
  const { session, events } = await openHouse(t, { before: first, replies: ['One.', 'Two.'] })
  assert.equal((await session.prompt('one')).text, 'One.')
  assert.equal((await session.prompt('two')).text, 'Two.')
  assert.equal(events.filter(event => event.type === 'notice' && event.code === 'disk').length, 1)
})

test('what was being said when gopi died is there again', async t => {
  const held = gate()
  const first = await openHouse(t, { replies: [['The answer ', 'is ', { gate: held }]] })
  const run = first.session.prompt('what is it?')
  await held.reached
  const partial = () => readFileSync(first.session.sessionFile ?? '', 'utf8').includes('message_partial')
  await first.seen(event => event.type === 'message_delta')
  assert.ok(partial(), 'the first piece is on disk as soon as it is shown')
  const died = readFileSync(first.session.sessionFile ?? '', 'utf8')
  first.session.abort()
  await run
  await first.session.close()
  writeFileSync(first.session.sessionFile ?? '', died)
  appendFileSync(first.session.sessionFile ?? '', '')
  const next = await openHouse(t, { before: first, resume: { last: true }, replies: ['Forty-two.'] })
  await next.session.prompt('go on')
  assert.match(next.sent(0)[1]?.content ?? '', /^The answer/)
})

test('a closed session refuses prompts, and closing twice is fine', async t => {
  const { session } = await openHouse(t, { replies: [] })
  await session.close()
  await session.close()
  await assert.rejects(session.prompt('hi'), /closed/)
})

test('a second prompt during a run is refused', async t => {
  const held = gate()
  const { session } = await openHouse(t, { replies: [[{ gate: held }, 'Hi.']] })
  const run = session.prompt('one')
  await assert.rejects(session.prompt('two'), /a run is going/)
  held.open()
  await run
})

test('words that wait can be taken back: they are not sent, and the next ones are', async t => {
  const { session, server, seen, journal, sent } = await openHouse(t, {
    replies: [call('bash', { command: 'echo begun; cat; sleep 60' }), 'Stopped.', 'Third.'],
  })
  const run = session.prompt('go')
  await seen(({ type }) => type === 'tool_output')
  const steered = session.steer('first')
  const later = session.followUp('second')
  const next = session.followUp('third')
  const ids = journal().flatMap(entry =>
    entry.type === 'steer' || entry.type === 'follow_up' ? [entry.id] : [],
  )
  assert.equal(session.takeBack(ids[0] ?? ''), 'first')
  assert.equal(session.takeBack(ids[1] ?? ''), 'second')
  assert.equal(session.takeBack(ids[1] ?? ''), undefined)
  assert.equal((await steered).turns, 0)
  assert.equal((await later).turns, 0)
  session.steer('only this')
  session.stepInNow()
  assert.equal((await run).text, 'Stopped.')
  assert.equal((await next).text, 'Third.')
  const words = sent(server.chats.length - 1).map(({ content }) => content)
  assert.deepEqual(
    ['first', 'second', 'only this', 'third'].map(text => words.some(content => content.includes(text))),
    [false, false, true, true],
  )
})

test('a mode that changes holds from the next decision on, and is kept', async t => {
  const { session, journal } = await openHouse(t, {
    replies: [
      call('bash', { command: 'touch one' }),
      'First.',
      call('bash', { command: 'touch two' }),
      'Second.',
    ],
  })
  await session.prompt('go')
  session.setMode('plan')
  session.setMode('plan')
  await session.prompt('go on')
  const decisions = journal().flatMap(entry => (entry.type === 'permission' ? [entry.decision] : []))
  assert.deepEqual(decisions, ['allow', 'deny'])
  const modes = journal().flatMap(entry => (entry.type === 'mode_change' ? [entry.mode] : []))
  assert.deepEqual(modes, ['yolo', 'plan'])
})

test('what a person reads of a reply leaves out the calls that were written into it', async t => {
  const { session } = await openHouse(t, {
    server: { models: [{ name: 'scripted', capabilities: ['completion'] }] },
    replies: ['Thought: I know it.\nFinal Answer: Forty-two.'],
  })
  await session.prompt('What is it?')
  const reply = session.messages.at(-1)
  assert.ok(reply?.role === 'assistant')
  assert.match(reply.content, /Thought/)
  assert.equal(session.readable(reply), 'Forty-two.')
})
