/** gopi in an editor: the built program, and the protocol package's own client. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { gate } from '../support/demo/reply.ts'
import { openEditor, problemOf } from '../support/editor.ts'
import { call } from '../support/house.ts'
import { eventually, openProgram, processesWith, root, temporary } from '../support/program.ts'

const kinds = (updates: readonly { update: SessionUpdate }[]) =>
  updates.map(({ update }) => update.sessionUpdate)
const isCall = (update: SessionUpdate) => update.sessionUpdate === 'tool_call_update'

test('what is no message of the protocol is found', () => {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } }
  assert.equal(problemOf('SessionNotification', { sessionId: 'x', update }), undefined)
  assert.ok(problemOf('SessionNotification', { sessionId: 7, update }))
  assert.ok(problemOf('SessionNotification', { sessionId: 'x', update: { ...update, content: 'x' } }))
  assert.ok(problemOf('PromptResponse', { stopReason: 'because' }))
})

test('a prompt with thoughts, a call and an answer, and what the editor is told before', async t => {
  const program = await openProgram(t, {
    files: { 'a.txt': 'one\ntwo\n' },
    server: { capabilities: ['completion', 'tools', 'thinking'] },
    replies: [
      { thinking: 'hm', calls: [{ name: 'read', arguments: { path: 'a.txt' } }] },
      'It has two lines.',
    ],
  })
  const editor = await openEditor(program, { args: ['--think', 'on'] })
  const { sessionId, modes, configOptions } = await editor.begin(program.cwd)
  assert.deepEqual(
    modes?.availableModes.map(({ id }) => id),
    ['ask', 'auto-edit', 'plan'],
  )
  assert.deepEqual(
    configOptions?.map(({ id }) => id),
    ['mode', 'model', 'think'],
  )
  const commands = await editor.seen(update => update.sessionUpdate === 'available_commands_update')
  assert.ok(commands.sessionUpdate === 'available_commands_update')
  const names = commands.availableCommands.map(({ name }) => name)
  assert.ok(names.includes('compact') && names.includes('review') && !names.includes('quit'))

  assert.equal(await editor.say(sessionId, 'how many lines has a.txt?'), 'end_turn')
  assert.equal(editor.text('agent_thought_chunk'), 'hm')
  assert.match(editor.text(), /It has two lines\./)
  const { update } = editor.updates.find(({ update }) => update.sessionUpdate === 'tool_call') ?? {}
  assert.ok(update?.sessionUpdate === 'tool_call')
  assert.deepEqual(
    [update.kind, update.status, update.locations],
    ['read', 'pending', [{ path: path.join(program.cwd, 'a.txt') }]],
  )
  const done = editor.updates.map(({ update }) => update).findLast(isCall)
  assert.ok(done?.sessionUpdate === 'tool_call_update' && done.status === 'completed')
  assert.ok(kinds(editor.updates).includes('usage_update'))
  assert.equal((await editor.end()).code, 0)
})

test('an edit is asked about with its diff; once, for the session, no, and no with the reason', async t => {
  const edit = (old: string, now: string) => call('edit', { path: 'a.txt', old, new: now })
  const program = await openProgram(t, {
    files: { 'a.txt': 'one\ntwo\nthree\n' },
    replies: [
      call('read', { path: 'a.txt' }),
      edit('two', '2'),
      'Done.',
      edit('one', '1'),
      'As you like.',
      edit('one', 'I'),
      'I see.',
      edit('three', '3'),
      edit('one', 'uno'),
      'All done.',
    ],
  })
  const answers = ['once', 'no', 'why', 'session']
  const editor = await openEditor(program, {
    answer: () => answers.shift(),
    capabilities: { elicitation: { form: {} } },
    elicit: () => ({ action: 'accept', content: { because: 'Roman numbers are out' } }),
  })
  const { sessionId } = await editor.begin(program.cwd)
  const file = path.join(program.cwd, 'a.txt')
  assert.equal(await editor.say(sessionId, 'write 2'), 'end_turn')
  const [first] = editor.asked
  assert.deepEqual(
    first?.options.map(({ kind }) => kind),
    ['allow_once', 'allow_always', 'allow_always', 'reject_once', 'reject_always'],
  )
  assert.match(first?.options[1]?.name ?? '', /always: Edit\(/)
  assert.deepEqual(
    first?.toolCall.content?.find(({ type }) => type === 'diff'),
    { type: 'diff', path: file, oldText: 'one\ntwo\nthree\n', newText: 'one\n2\nthree\n' },
  )
  assert.equal(readFileSync(file, 'utf8'), 'one\n2\nthree\n')
  await editor.say(sessionId, 'write 1')
  assert.equal(readFileSync(file, 'utf8'), 'one\n2\nthree\n')
  await editor.say(sessionId, 'write I')
  assert.ok(program.sent(6).some(text => text.includes('Roman numbers are out')))
  await editor.say(sessionId, 'write 3, then uno')
  assert.equal(editor.asked.length, 4)
  assert.equal(readFileSync(file, 'utf8'), 'uno\n2\n3\n')
  await editor.end()
})

test('no, and say why: where the editor cannot ask for words, the run ends for them', async t => {
  const program = await openProgram(t, {
    replies: [call('write', { path: 'a.txt', content: 'x\n' }), 'Then b.'],
  })
  const editor = await openEditor(program, { answer: () => 'why' })
  const { sessionId } = await editor.begin(program.cwd)
  assert.equal(await editor.say(sessionId, 'write a.txt'), 'end_turn')
  assert.match(editor.text(), /Say what the model should do instead/)
  assert.equal(await editor.say(sessionId, 'write b.txt'), 'end_turn')
  assert.ok(!existsSync(path.join(program.cwd, 'a.txt')))
  await editor.end()
})

test('what the editor has not saved is what the model sees and changes', async t => {
  const program = await openProgram(t, {
    files: { 'a.txt': 'saved\n' },
    replies: [
      call('read', { path: 'a.txt' }),
      call('edit', { path: 'a.txt', old: 'typed', new: 'changed' }),
      call('edit', { path: 'a.txt', old: 'changed', new: 'never' }),
      'Done.',
    ],
  })
  // Opened through a link, as people do.
  const link = path.join(temporary(t, 'gopi-link-'), 'project')
  symlinkSync(program.cwd, link)
  const file = path.join(link, 'a.txt')
  const buffers = new Map([[file, 'typed\n']])
  const editor = await openEditor(program, {
    buffers,
    // As one does that keeps lines.
    kept: text => `${text}\n`,
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    answer({ options }) {
      // Typed on while the question was open.
      if (editor.asked.length === 2) buffers.set(file, 'changed\nlate, too\n')
      return options[0]?.optionId
    },
  })
  const { sessionId } = await editor.begin(link)
  await editor.say(sessionId, 'change it')
  assert.ok(program.sent(1).some(text => text.includes('1\ttyped')))
  assert.equal(readFileSync(path.join(program.cwd, 'a.txt'), 'utf8'), 'saved\n')
  assert.equal(buffers.get(file), 'changed\nlate, too\n')
  assert.ok(program.sent(3).some(text => /has changed since you saw it[\s\S]*late, too/.test(text)))
  assert.ok(editor.calls.includes(`write ${file}`))
  await editor.end()
})

test('an open file, a link, a selection and a picture come with the words', async t => {
  const program = await openProgram(t, {
    files: { 'a.txt': 'alpha\n', 'b.txt': 'beta\n', 'c.txt': 'gamma\ndelta\n' },
    server: { capabilities: ['completion', 'tools', 'vision'] },
    replies: ['Seen.'],
  })
  const editor = await openEditor(program)
  const { sessionId } = await editor.begin(program.cwd)
  const uri = (name: string) => pathToFileURL(path.join(program.cwd, name)).href
  await editor.agent.request('session/prompt', {
    sessionId,
    prompt: [
      { type: 'text', text: 'compare' },
      { type: 'resource_link', name: 'a.txt', uri: uri('a.txt') },
      { type: 'text', text: 'and' },
      { type: 'resource', resource: { uri: uri('b.txt'), text: 'beta, not saved\n' } },
      { type: 'resource', resource: { uri: `${uri('c.txt')}#L2`, text: 'delta' } },
      { type: 'resource_link', name: 'the web', uri: 'https://example.org/' },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
    ],
  })
  const [sent = ''] = program.sent(0)
  assert.match(JSON.stringify(program.server.chats.at(-1)?.body), /"images":\["iVBORw0KGgo="\]/)
  assert.match(sent, /<file path="a\.txt">\n1\talpha\n<\/file>/)
  assert.match(sent, /<file path="b\.txt">\nbeta, not saved\n<\/file>/)
  assert.match(sent, /<file path="c\.txt:2-2">\ndelta\n<\/file>/)
  assert.match(sent, /compare @a\.txt and b\.txt +c\.txt:2-2 +\[the web\]\(https:\/\/example\.org\/\)$/)
  await editor.end()
})

test('cancel ends the run; a second prompt steps in, and both end with it', async t => {
  const held = gate()
  t.after(() => held.open())
  const program = await openProgram(t, {
    replies: [
      [{ text: 'First ' }, { gate: held }, { text: 'never' }],
      'Second.',
      [{ text: 'x' }, { hang: true }],
    ],
  })
  const editor = await openEditor(program)
  const { sessionId } = await editor.begin(program.cwd)
  const first = editor.say(sessionId, 'one')
  await editor.seen(update => update.sessionUpdate === 'agent_message_chunk')
  const second = editor.say(sessionId, 'two')
  assert.deepEqual(await Promise.all([first, second]), ['end_turn', 'end_turn'])
  assert.ok(program.sent(1).includes('two'), JSON.stringify(program.sent(1)))

  const before = editor.updates.length
  const third = editor.say(sessionId, 'three')
  await eventually('it writes', () =>
    editor.updates.slice(before).some(({ update }) => update.sessionUpdate === 'agent_message_chunk'),
  )
  await editor.agent.notify('session/cancel', { sessionId })
  assert.equal(await third, 'cancelled')
  await editor.end()
})

test('two prompts at once end in one run, in their order, with a picture in the second', async t => {
  const program = await openProgram(t, {
    server: { capabilities: ['completion', 'tools', 'vision'] },
    model: () => 'Both.',
  })
  const editor = await openEditor(program)
  const { sessionId } = await editor.begin(program.cwd)
  const second = editor.agent.request('session/prompt', {
    sessionId,
    prompt: [
      { type: 'text', text: 'beta' },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
    ],
  })
  const reasons = await Promise.all([
    editor.say(sessionId, 'alpha'),
    second.then(({ stopReason }) => stopReason),
  ])
  assert.deepEqual(reasons, ['end_turn', 'end_turn'])
  const [journal = []] = program.journals()
  const said = journal.flatMap(entry => (entry.type === 'message' && entry.role === 'user' ? [entry] : []))
  assert.deepEqual(new Set(said.map(({ content }) => content.split('\n')[0])), new Set(['alpha', 'beta']))
  assert.deepEqual(
    said.flatMap(({ images = [] }) => images),
    ['iVBORw0KGgo='],
  )
  await editor.end()
})

test('two sessions in one process, each in its directory', async t => {
  const program = await openProgram(t, {
    model: ({ messages }) => (messages.at(-1)?.role === 'tool' ? 'Done.' : call('bash', { command: 'pwd' })),
  })
  const other = temporary(t, 'gopi-other-')
  const editor = await openEditor(program)
  const [one, two] = await Promise.all([editor.begin(program.cwd), editor.begin(other)])
  await Promise.all([editor.say(one.sessionId, 'where?'), editor.say(two.sessionId, 'where?')])
  for (const [id, cwd] of [
    [one.sessionId, program.cwd],
    [two.sessionId, other],
  ] as const) {
    const own = editor.updates.filter(({ sessionId }) => sessionId === id)
    assert.ok(JSON.stringify(own).includes(cwd), cwd)
  }
  assert.equal(program.journals().length, 2)
  await editor.end()
})

test('a conversation is listed, loaded with what was said, gone on with, and deleted', async t => {
  const program = await openProgram(t, {
    files: { 'a.txt': 'one\n' },
    replies: [call('read', { path: 'a.txt' }), 'One line.', 'Still one.'],
  })
  const before = await openEditor(program)
  const { sessionId } = await before.begin(program.cwd)
  await before.say(sessionId, 'how many lines?')
  await before.end()

  const editor = await openEditor(program)
  const { sessions } = await editor.agent.request('session/list', {})
  assert.deepEqual(
    sessions.map(one => [one.sessionId, one.cwd, one.title]),
    [[sessionId, program.cwd, 'how many lines?']],
  )
  await editor.agent.request('session/load', { sessionId, cwd: program.cwd, mcpServers: [] })
  assert.equal(editor.text('user_message_chunk'), 'how many lines?')
  assert.equal(editor.text(), 'One line.')
  const told = kinds(editor.updates).filter(kind => /chunk|tool/.test(kind))
  assert.deepEqual(told, ['user_message_chunk', 'tool_call', 'tool_call_update', 'agent_message_chunk'])
  await editor.say(sessionId, 'and now?')
  assert.ok(program.sent(2).includes('how many lines?'))
  assert.equal(program.journals().length, 1)

  await assert.rejects(
    editor.agent.request('session/load', { sessionId: 'nosuchone1', cwd: program.cwd, mcpServers: [] }),
    /no session nosuchone1/,
  )
  await editor.agent.request('session/close', { sessionId })
  await assert.rejects(editor.say(sessionId, 'anybody?'), /not open/)
  await editor.agent.request('session/delete', { sessionId })
  assert.deepEqual((await editor.agent.request('session/list', { cwd: program.cwd })).sessions, [])
  await editor.end()
})

test('modes, models and thinking are the editor’s to set; yolo only where it is configured', async t => {
  const program = await openProgram(t, { replies: ['One.', 'Two.'] })
  const editor = await openEditor(program)
  const { sessionId, configOptions } = await editor.begin(program.cwd)
  const { agent } = editor
  await assert.rejects(agent.request('session/set_mode', { sessionId, modeId: 'yolo' }), /yolo/)
  await agent.request('session/set_mode', { sessionId, modeId: 'plan' })
  await editor.seen(
    update => update.sessionUpdate === 'current_mode_update' && update.currentModeId === 'plan',
  )
  const chosen = (options: typeof configOptions, id: string) =>
    options?.find(one => one.id === id)?.currentValue
  await editor.say(sessionId, 'hello')
  const before = chosen(configOptions, 'model')
  const set = await agent.request('session/set_config_option', {
    sessionId,
    configId: 'think',
    value: 'high',
  })
  assert.equal(chosen(set.configOptions, 'think'), 'high')
  const changed = await agent.request('session/set_config_option', {
    ...{ sessionId, configId: 'model', value: 'other:1b' },
  })
  assert.deepEqual(
    ['model', 'mode', 'think'].map(id => chosen(changed.configOptions, id)),
    ['other:1b', 'plan', 'high'],
  )
  assert.notEqual(before, 'other:1b')
  await editor.say(sessionId, 'again')
  assert.ok(program.sent(1).some(text => text.includes('hello')))
  assert.equal(program.journals().length, 1)
  await editor.end()

  const bold = await openEditor(program, { args: ['--yolo'] })
  const { modes } = await bold.begin(program.cwd)
  assert.equal(modes?.currentModeId, 'yolo')
  await bold.end()
})

test('an agent that was chosen before anything was said stays with another model, and so does who came after it', async t => {
  const write = call('write', { path: 'a.txt', content: 'x' })
  const program = await openProgram(t, { replies: [write, 'No.', write, 'Done.'] })
  const editor = await openEditor(program, { args: ['--agent', 'explore', '--yolo'] })
  const { sessionId } = await editor.begin(program.cwd)
  const isWritten = () => existsSync(path.join(program.cwd, 'a.txt'))
  const changeModel = (value: string) =>
    editor.agent.request('session/set_config_option', { sessionId, configId: 'model', value })
  await editor.say(sessionId, '/agent plan')
  await changeModel('other:1b')
  await editor.say(sessionId, 'write it')
  assert.equal(isWritten(), false)
  assert.match(program.system(0), /You plan\. /)
  await editor.say(sessionId, '/agent build')
  await changeModel('another:1b')
  await editor.say(sessionId, 'write it now')
  assert.equal(isWritten(), true)
  await editor.end()
})

test('commands, the person’s own and gopi’s', async t => {
  const program = await openProgram(t, { replies: ['Ok.'] })
  const editor = await openEditor(program)
  const { sessionId } = await editor.begin(program.cwd)
  assert.equal(await editor.say(sessionId, '!echo from the shell'), 'end_turn')
  assert.match(JSON.stringify(editor.updates), /from the shell/)
  await editor.say(sessionId, '/mode plan')
  await editor.seen(
    update => update.sessionUpdate === 'current_mode_update' && update.currentModeId === 'plan',
  )
  await editor.say(sessionId, '/context')
  assert.match(editor.text(), /tokens/)
  await editor.say(sessionId, '/quit')
  assert.match(editor.text(), /editor does that/)
  await editor.say(sessionId, 'go on')
  assert.match(editor.text(), /Ok\./)
  assert.ok(program.sent(0).some(text => text.includes('from the shell')))
  await editor.end()
})

test('whether the folder is trusted is asked with the first prompt', async t => {
  const program = await openProgram(t, {
    files: { 'AGENTS.md': 'Always say please.' },
    replies: ['One.', 'Two.'],
  })
  const editor = await openEditor(program, { answer: () => 'yes' })
  const { sessionId } = await editor.begin(program.cwd)
  await editor.say(sessionId, 'hello')
  assert.match(JSON.stringify(editor.asked[0]), /Always say please/)
  assert.match(program.system(0), /Always say please/)
  await editor.say(sessionId, 'again')
  assert.equal(editor.asked.length, 1)
  const [journal] = program.journals()
  assert.equal(program.journals().length, 1)
  assert.ok(journal?.some(entry => entry.type === 'header' && entry.id === sessionId))
  await editor.end()
})

test('questions and settings are in the person’s language', async t => {
  const program = await openProgram(t, { replies: [call('write', { path: 'a.txt', content: 'x\n' }), 'Ok.'] })
  const editor = await openEditor(program, { env: { GOPI_LANG: 'zh' }, answer: () => 'no' })
  const { sessionId, configOptions } = await editor.begin(program.cwd)
  await editor.say(sessionId, 'write it')
  const names = [...(configOptions ?? []), ...(editor.asked[0]?.options ?? [])].map(({ name }) => name)
  assert.ok(names.length > 5)
  for (const name of names) assert.match(name, /\p{Script=Han}/u)
  await editor.end()
})

test('a folder about which nobody answers is not trusted, and asked about the next time', async t => {
  const program = await openProgram(t, {
    files: { 'AGENTS.md': 'Always say please.' },
    replies: ['One.', 'Two.', 'Three.'],
  })
  const first = await openEditor(program, { answer: () => undefined })
  const { sessionId } = await first.begin(program.cwd)
  await first.say(sessionId, 'hello')
  await first.say(sessionId, 'again')
  assert.equal(first.asked.length, 1)
  await first.end()
  assert.doesNotMatch(program.system(0), /please/)
  const second = await openEditor(program, { answer: () => 'no' })
  await second.say((await second.begin(program.cwd)).sessionId, 'hello')
  assert.equal(second.asked.length, 1)
  await second.end()
  const third = await openEditor(program)
  await third.begin(program.cwd)
  assert.equal(third.asked.length, 0)
  await third.end()
})

test('servers that the editor names are there in the first session', async t => {
  const program = await openProgram(t, {
    replies: [call('mcp__the-memory__read_graph', {}), 'Empty.'],
  })
  const editor = await openEditor(program)
  const command = process.execPath
  const args = [path.join(root, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')]
  const { sessionId } = await editor.agent.request('session/new', {
    cwd: program.cwd,
    mcpServers: [
      {
        name: 'the memory',
        command,
        args,
        env: [{ name: 'MEMORY_FILE_PATH', value: path.join(program.home, 'm') }],
      },
      { type: 'sse', name: 'old', url: 'http://127.0.0.1:1/', headers: [] },
    ],
  })
  await editor.say(sessionId, 'what do you remember?')
  assert.match(JSON.stringify(program.server.chats.at(-1)?.body), /mcp__the-memory__read_graph/)
  assert.match(JSON.stringify(editor.updates), /entities/)
  assert.match(editor.text(), /old speaks SSE/)
  await editor.end()
})

test('live output, and a list of what is to be done', async t => {
  const program = await openProgram(t, {
    files: { 'wait.sh': 'echo begun; until [ -e go ]; do sleep 0.05; done; echo over' },
    replies: [
      call('bash', { command: 'bash wait.sh' }),
      call('todo', { list: '[x] one\n[~] two\n[ ] three' }),
      'Done.',
    ],
  })
  mkdirSync(path.join(program.home, '.gopi'), { recursive: true })
  writeFileSync(path.join(program.home, '.gopi/config.yaml'), 'tools: { todo: true }\nsandbox: off\n')
  const editor = await openEditor(program)
  const { sessionId } = await editor.begin(program.cwd)
  const run = editor.say(sessionId, 'run it')
  await editor.seen(update => isCall(update) && JSON.stringify(update).includes('begun'))
  writeFileSync(path.join(program.cwd, 'go'), '')
  await run
  const plan = editor.updates
    .map(({ update }) => update)
    .find(({ sessionUpdate }) => sessionUpdate === 'plan')
  assert.ok(plan?.sessionUpdate === 'plan')
  assert.deepEqual(
    plan.entries.map(({ status }) => status),
    ['completed', 'in_progress', 'pending'],
  )
  await editor.end()
})

test('a terminal that the editor can draw shows a command’s output', async t => {
  const program = await openProgram(t, {
    replies: [call('bash', { command: 'echo shown; exit 3' }), 'Done.'],
  })
  const editor = await openEditor(program, { capabilities: { _meta: { terminal_output: true } } })
  const { sessionId } = await editor.begin(program.cwd)
  await editor.say(sessionId, 'run it')
  const metas = editor.updates.flatMap(({ update }) =>
    '_meta' in update && update._meta ? [update._meta] : [],
  )
  assert.match(JSON.stringify(metas[0]), /terminal_info/)
  const allowed = editor.updates
    .map(({ update }) => update)
    .find(update => isCall(update) && 'status' in update)
  assert.match(JSON.stringify(allowed), /in_progress.*"type":"terminal"/)
  assert.match(JSON.stringify(metas), /shown/)
  assert.match(JSON.stringify(metas.at(-1)), /"exit_code":3/)
  await editor.end()
})

test('a command of the person’s that needs a real terminal gets one of the editor’s', async t => {
  const program = await openProgram(t, { replies: ['I see.'] })
  const editor = await openEditor(program, { capabilities: { terminal: true } })
  const { sessionId } = await editor.begin(program.cwd)
  await editor.say(sessionId, '!top -n 1')
  assert.deepEqual(editor.calls, [`run bash -c top -n 1 in ${program.cwd}`, 'release'])
  const shown = editor.updates.find(({ update }) => update.sessionUpdate === 'tool_call')?.update
  assert.match(JSON.stringify(shown), /"terminalId":"its-terminal"/)
  await editor.say(sessionId, 'what came of it?')
  assert.match(program.sent(0).join('\n'), /top -n 1[\s\S]*3/)
  await editor.end()
})

test('garbage, a message that is too long, unknown methods and versions end nothing', async t => {
  const program = await openProgram(t, { replies: ['Still here.'] })
  const editor = await openEditor(program, { version: 99 })
  editor.raw('this is no JSON\n\n[1,2]\n"x"\n\x00\xff\n{"jsonrpc":"2.0"}\n')
  await editor.started.until('stdout', /-32700/)
  await assert.rejects(editor.agent.request('no/such_method', {}), /[Mm]ethod not found/)
  await assert.rejects(editor.agent.request('session/new', { cwd: 'relative', mcpServers: [] }), /absolute/)
  await assert.rejects(
    editor.agent.request('session/new', { cwd: '/no/such/place', mcpServers: [] }),
    /no directory/,
  )
  await assert.rejects(editor.agent.request('session/prompt', { sessionId: 'x', prompt: [] }), /not open/)
  await assert.rejects(
    editor.agent.request('session/prompt', { sessionId: 7, prompt: 'x' } as never),
    /[Ii]nvalid params/,
  )
  await editor.agent.notify('session/cancel', { sessionId: 'x' })
  const { sessionId } = await editor.begin(program.cwd)
  await assert.rejects(editor.agent.request('session/prompt', { sessionId, prompt: [] }), /holds nothing/)
  const piece = 'x'.repeat(1 << 20)
  for (let at = 0; at < 65; at++) editor.raw(piece)
  editor.raw('\n')
  await editor.started.until('stdout', /more than \d+ bytes/)
  assert.equal(await editor.say(sessionId, 'are you there?'), 'end_turn')
  assert.match(editor.text(), /Still here/)
  await editor.end()
})

test('an editor that dies in the middle: the run ends, the journal is whole, no process is left', async t => {
  const program = await openProgram(t, { replies: [call('bash', { command: 'echo begun; sleep 4321.5' })] })
  mkdirSync(path.join(program.home, '.gopi'), { recursive: true })
  writeFileSync(path.join(program.home, '.gopi/config.yaml'), 'sandbox: off\n')
  const editor = await openEditor(program)
  const { sessionId } = await editor.begin(program.cwd)
  const run = editor.say(sessionId, 'sleep').catch(() => {})
  await editor.seen(update => isCall(update) && JSON.stringify(update).includes('begun'))
  editor.started.child.stdin.destroy()
  editor.started.child.stdout.destroy()
  await editor.started.ended
  await run
  const [journal = []] = program.journals()
  const last = journal.findLast(({ type }) => type === 'agent_end')
  assert.ok(last?.type === 'agent_end' && last.reason === 'aborted')
  assert.deepEqual(processesWith('sleep 4321.5'), [])
  assert.equal(realpathSync(program.cwd), program.cwd)
})

test('no server: the prompt is answered with the sentence that helps', async t => {
  const program = await openProgram(t)
  await program.server.close()
  const editor = await openEditor(program)
  const { sessionId } = await editor.begin(program.cwd)
  await assert.rejects(editor.say(sessionId, 'hello'), /[Nn]o Ollama|ollama serve|not answer/)
  await editor.end()
})

test('a plan is followed by the question what becomes of it; the turn limit by another', async t => {
  const program = await openProgram(t, {
    replies: ['1. read\n2. write', call('write', { path: 'a.txt', content: 'x\n' }), call('ls', {}), 'Done.'],
  })
  const chosen = ['choice-1', 'yes']
  const editor = await openEditor(program, {
    args: ['--mode', 'plan', '--max-turns', '2'],
    answer: () => chosen.shift(),
  })
  const { sessionId } = await editor.begin(program.cwd)
  assert.equal(await editor.say(sessionId, 'plan it'), 'end_turn')
  assert.equal(readFileSync(path.join(program.cwd, 'a.txt'), 'utf8'), 'x\n')
  assert.equal(editor.asked.length, 2)
  assert.match(editor.text(), /Done\./)
  await editor.end()
})

test('the server reads ahead when a session opens; a prompt that is taken back, and a signal, end what runs', async t => {
  const program = await openProgram(t, {
    replies: [
      [{ text: 'x' }, { hang: true }],
      [{ text: 'y' }, { hang: true }],
    ],
  })
  const editor = await openEditor(program)
  const { sessionId } = await editor.begin(program.cwd)
  await eventually('it was read ahead', () => program.server.chats.length > 0)
  assert.match(JSON.stringify(program.server.chats[0]?.body), /"num_predict":1\b/)
  const backing = new AbortController()
  const prompt = [{ type: 'text' as const, text: 'one' }]
  const first = editor.agent.request(
    'session/prompt',
    { sessionId, prompt },
    { cancellationSignal: backing.signal },
  )
  await editor.seen(update => update.sessionUpdate === 'agent_message_chunk')
  backing.abort()
  assert.deepEqual(await first, { stopReason: 'cancelled' })
  const second = editor.say(sessionId, 'two').catch(() => {})
  await editor.seen(update => JSON.stringify(update).includes('"y"'))
  editor.started.child.kill('SIGTERM')
  const { code, stderr } = await editor.started.ended
  assert.equal(code, 143, stderr)
  await second
  assert.equal(program.journals()[0]?.findLast(({ type }) => type === 'agent_end')?.type, 'agent_end')
})
