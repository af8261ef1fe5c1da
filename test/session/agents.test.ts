import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { RunCommand } from '../../src/cli/args.ts'
import { following } from '../../src/cli/following.ts'
import { agentSources } from '../../src/kit/agents/agents.ts'
import type { Agent } from '../../src/session/agent.ts'
import { replay } from '../../src/session/replay.ts'
import { deskOf, obeyed } from '../support/desk.ts'
import { call, type House, openHouse } from '../support/house.ts'

const last = { resume: { last: true } } as const

interface Body {
  tools?: unknown
  messages: { role: string; content: string }[]
}

const bodyOf = ({ server }: House, index: number) => server.chats[index]?.body as unknown as Body
const changes = (house: House) => house.journal().filter(entry => entry.type === 'agent_change')
const notes = (house: House) => house.events.flatMap(event => (event.type === 'notice' ? [event.code] : []))
const write = call('write', { path: 'a.ts', content: 'changed' })
const isWritten = ({ cwd }: House) => existsSync(path.join(cwd, 'a.ts'))

async function agentOf({ home, cwd }: House, name: string): Promise<Agent | undefined> {
  const { sources } = await agentSources({ home, cwd, person: home, trusted: true })
  return sources.flatMap(({ agents = [] }) => agents).find(agent => agent.name === name)
}

/** What was sent before is sent again, byte for byte, and then these words alone. */
function assertGoesOn(next: House, before: House, index: number, words: string): void {
  const [now, then] = [bodyOf(next, 0), bodyOf(before, index)]
  assert.equal(JSON.stringify(now.tools), JSON.stringify(then.tools))
  assert.deepEqual(now.messages.slice(0, then.messages.length), then.messages)
  assert.equal(now.messages.at(-1)?.content, words)
}

test('a session that began as an agent is that agent when it is resumed, and in a copy', async t => {
  const house = await openHouse(t, { agent: 'explore', replies: ['Here.'] })
  await house.session.prompt('one')
  assert.deepEqual(
    changes(house).map(({ agent, begins }) => [agent?.name, agent?.tools, begins]),
    [['explore', ['read', 'grep', 'find', 'ls'], true]],
  )

  const next = await openHouse(t, {
    before: house,
    resume: { fork: house.session.id },
    replies: [write, 'No.'],
  })
  await next.session.prompt('two')
  assertGoesOn(next, house, 0, 'two')
  assert.equal(next.session.agent?.name, 'explore')
  assert.equal(isWritten(next), false)
  assert.equal(changes(next).length, 1, 'who goes on as before is not written down again')
  await house.session.close()

  const wide = await openHouse(t, { before: house, ...last, agent: 'build', replies: [write, 'Done.'] })
  await wide.session.prompt('three')
  assert.equal(isWritten(wide), true)
  assert.equal(wide.session.agent?.name, 'build')
})

test('who was chosen on the way goes on: the prefix stays, and the model hears of it once', async t => {
  const house = await openHouse(t, { replies: ['One.', 'Two.'] })
  await house.session.prompt('one')
  house.session.setAgent(await agentOf(house, 'explore'))
  await house.session.prompt('two')
  await house.session.close()

  const next = await openHouse(t, { before: house, ...last, replies: [write, 'No.'] })
  next.session.setAgent(await agentOf(next, 'explore'))
  await next.session.prompt('three')
  assertGoesOn(next, house, 1, 'three')
  assert.equal(isWritten(next), false)
  next.session.setAgent(undefined)
  await next.session.close()

  // Chosen, and nothing was said after it: the model has still to hear of it.
  const back = await openHouse(t, { before: house, ...last, replies: [write, 'Done.'] })
  assert.equal(back.session.agent, undefined)
  await back.session.prompt('four')
  assert.match(bodyOf(back, 0).messages.at(-1)?.content ?? '', /^four\n\n\(From here on you are no agent/)
  assert.equal(isWritten(back), true)
})

test('an agent that is gone is said, and the session stays as narrow as it was', async t => {
  const file = '.claude/agents/looker.md'
  const house = await openHouse(t, {
    files: { [file]: '---\ndescription: looks\ntools: Read\n---\nYou look.\n' },
    agent: 'looker',
    replies: ['One.'],
  })
  await house.session.prompt('one')
  await house.session.close()
  rmSync(path.join(house.cwd, file))

  const next = await openHouse(t, { before: house, ...last, replies: [write, 'No.'] })
  await next.session.prompt('two')
  assertGoesOn(next, house, 0, 'two')
  assert.ok(notes(next).includes('agent'), String(notes(next)))
  assert.equal(isWritten(next), false)
})

test('an agent whose file was widened since: the session does no more than before until the person wants it', async t => {
  const looker = (head: string) => ({ '.claude/agents/looker.md': `---\n${head}\n---\nYou look.\n` })
  const house = await openHouse(t, {
    files: looker('description: looks\ntools: Read, Grep\npermission: { mode: plan, deny: [Read(b.ts)] }'),
    agent: 'looker',
    replies: ['One.'],
  })
  await house.session.prompt('one')
  await house.session.close()

  const wide = looker('description: looks\ntools: Read, Write')
  const next = await openHouse(t, {
    ...{ before: house, ...last, config: { permission: { mode: 'auto-edit' } } },
    files: { ...wide, 'b.ts': 'b' },
    replies: [write, call('read', { path: 'b.ts' }), 'No.', write, 'Neither.'],
  })
  await next.session.prompt('two')
  assert.ok(notes(next).includes('agent'), String(notes(next)))
  assert.equal(isWritten(next), false)
  assert.deepEqual(
    next.session.agent?.tools,
    ['read'],
    'what the file lost is lost, what it gained is not gained',
  )
  const [, denied] = next.session.messages.filter(message => message.role === 'tool')
  assert.match(denied?.content ?? '', /^Denied: .*Read\(b\.ts\)/)
  await next.session.close()

  const again = await openHouse(t, { before: house, ...last, replies: [write, 'No.'] })
  await again.session.prompt('three')
  assert.equal(isWritten(again), false, 'also the second time')
  await again.session.close()

  const chosen = await openHouse(t, { before: house, ...last, agent: 'looker', replies: [write, 'Done.'] })
  await chosen.session.prompt('four')
  assert.equal(isWritten(chosen), true)
})

test('/agent: who has the tools goes on at once, for others the conversation goes on in another session', async t => {
  const house = await openHouse(t, { agent: 'plan', replies: ['One.', 'Two.'] })
  await house.session.prompt('one')
  const desk = deskOf(house)
  await obeyed('/agent explore', desk)
  assert.deepEqual([house.session.agent?.name, desk.ended], ['explore', []])
  await obeyed('/agent build', desk)
  assert.deepEqual(desk.ended, [{ type: 'agent', name: 'build' }])
  const command = { kind: 'run', print: false, prompt: ['one'], continue: true } as RunCommand
  const next = following(command, desk.ended[0]!, house.session)
  assert.deepEqual(next, { ...next, agent: 'build', resume: house.session.id, prompt: [] })
  assert.equal(next?.continue, undefined)
})

test('a journal that is written anew, and one of before there were agents', async t => {
  const house = await openHouse(t, { agent: 'explore', replies: ['One.', 'Two.'] })
  await house.session.prompt('one')
  house.session.setAgent(await agentOf(house, 'plan'))
  rmSync(house.session.sessionFile ?? '')
  await house.session.prompt('two')
  const file = await house.session.save()
  const state = replay(readFileSync(file, 'utf8'), () => 'x')
  assert.deepEqual([state.agents?.begun?.name, state.agents?.now?.name], ['explore', 'plan'])

  const old = house.journal().filter(({ type }) => type !== 'agent_change')
  assert.equal(replay(old.map(entry => JSON.stringify(entry)).join('\n'), () => 'x').agents, undefined)
})

test('what is no agent is no entry', () => {
  const head = '{"type":"header","version":1,"id":"a","cwd":"/p"}'
  for (const agent of ['"explore"', '{"name":"x"}', '{"name":"x","prompt":"","tools":"read"}']) {
    const state = replay(`${head}\n{"type":"agent_change","agent":${agent}}\n`, () => 'x')
    assert.deepEqual([state.agents, state.badLines], [undefined, [2]], agent)
  }
})
