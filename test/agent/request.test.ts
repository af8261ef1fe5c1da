import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatRequest } from '../../src/agent/request.ts'
import { createDialect } from '../../src/dialect/create.ts'
import type { Message } from '../../src/protocol/messages.ts'

const user = (content: string, shown?: string): Message => ({
  ...{ id: content, role: 'user', content },
  ...(shown !== undefined && { shown }),
})

test('words that were not answered and were said again reach the model once', () => {
  const sent = (...history: Message[]) =>
    chatRequest(
      {
        ...{ model: 'm', dialect: createDialect('native'), system: 's', wireTools: [], think: false },
        ...{ context: 4096, limit: 4096, keep_alive: '5m' },
      },
      history,
    )
      .messages.slice(1)
      .map(({ content }) => content)
  const reply: Message = { id: 'a', role: 'assistant', content: 'yes', stop_reason: 'stop' }
  const once = sent(user('go'))
  assert.deepEqual(sent(user('go'), user('go')), once)
  assert.deepEqual(sent(user('go'), user('go'), user('go'), reply), [...once, 'yes'])
  assert.deepEqual(sent(user('old file\n\ngo', 'go'), user('new file\n\ngo', 'go')), ['new file\n\ngo'])
  assert.deepEqual(sent(user('go'), reply, user('go')), ['go', 'yes', 'go'])
  assert.match(sent(user('go'), user('on')).join('|'), /go[\s\S]*on/)
  assert.equal(sent(user('note one', ''), user('note two', '')).join('|').includes('note one'), true)
})
