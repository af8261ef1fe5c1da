import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isNear, isOverheard, shownHost } from '../../src/backends/address.ts'
import { resolveHost } from '../../src/backends/ollama/host.ts'

const HOSTS: [value: string | undefined, address: string][] = [
  [undefined, 'http://127.0.0.1:11434'],
  ['', 'http://127.0.0.1:11434'],
  ['   ', 'http://127.0.0.1:11434'],
  ['localhost', 'http://localhost:11434'],
  ['example.com', 'http://example.com:11434'],
  ['example.com:56789', 'http://example.com:56789'],
  [':1234', 'http://127.0.0.1:1234'],
  ['1.2.3.4', 'http://1.2.3.4:11434'],
  ['1.2.3.4:', 'http://1.2.3.4:11434'],
  // The scheme's own port, not Ollama's, as soon as a scheme is written.
  ['http://1.2.3.4', 'http://1.2.3.4:80'],
  ['https://1.2.3.4', 'https://1.2.3.4:443'],
  ['HTTPS://Example.com', 'https://Example.com:443'],
  ['http://1.2.3.4:4321', 'http://1.2.3.4:4321'],
  ['https://1.2.3.4:4321', 'https://1.2.3.4:4321'],
  ['http://:8080', 'http://127.0.0.1:8080'],
  // Quotes and space, as shells and .env files leave them.
  ['"1.2.3.4"', 'http://1.2.3.4:11434'],
  ["'http://1.2.3.4:80'", 'http://1.2.3.4:80'],
  [' 1.2.3.4 ', 'http://1.2.3.4:11434'],
  // A port that is none.
  ['1.2.3.4:66000', 'http://1.2.3.4:11434'],
  ['1.2.3.4:-1', 'http://1.2.3.4:11434'],
  ['1.2.3.4:abc', 'http://1.2.3.4:11434'],
  ['http://1.2.3.4:66000', 'http://1.2.3.4:80'],
  ['https://1.2.3.4:x', 'https://1.2.3.4:443'],
  ['1.2.3.4:0', 'http://1.2.3.4:0'],
  // IPv6.
  ['[::1]', 'http://[::1]:11434'],
  ['[::1]:1337', 'http://[::1]:1337'],
  ['::1', 'http://[::1]:11434'],
  ['[::1', 'http://[::1]:11434'],
  ['[::1]1337', 'http://[::1]:11434'],
  ['2001:db8::7', 'http://[2001:db8::7]:11434'],
  ['https://[2001:db8::7]', 'https://[2001:db8::7]:443'],
  // What a server listens on is not what a client connects to.
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
  ['http://0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://[::1]:11434'],
  ['[::]:8080', 'http://[::1]:8080'],
  // Paths and credentials.
  ['example.com/', 'http://example.com:11434'],
  ['example.com:8080/ollama', 'http://example.com:8080/ollama'],
  ['https://example.com/a/b//', 'https://example.com:443/a/b'],
  ['http://me:secret@example.com', 'http://me:secret@example.com:80'],
  ['me:s@cret@example.com:99/x', 'http://me:s@cret@example.com:99/x'],
  ['me:secret@[::1]', 'http://me:secret@[::1]:11434'],
  // The cloud, and only by its bare name.
  ['ollama.com', 'https://ollama.com:443'],
  ['http://ollama.com', 'http://ollama.com:80'],
  ['ollama.com:8080', 'http://ollama.com:8080'],
]

describe('the address by the rules for OLLAMA_HOST', () => {
  for (const [value, address] of HOSTS) {
    it(`${JSON.stringify(value)} is ${address}, and resolving that changes nothing`, () => {
      assert.equal(resolveHost(value), address)
      assert.equal(resolveHost(address), address)
    })
  }

  it('is told to people without credentials', () => {
    assert.equal(shownHost('http://me:s@cret@example.com:99/x@y'), 'http://example.com:99/x@y')
    assert.equal(shownHost('https://example.com:443'), 'https://example.com:443')
  })

  const way = (host: string) => [isNear(resolveHost(host)), isOverheard(resolveHost(host))]

  it('is near on this machine and in the local network, and far by any name that only looks so', () => {
    const near = [
      '',
      'localhost',
      '0.0.0.0',
      '127.0.0.1',
      '[::1]:1',
      '10.1.2.3',
      '192.168.1.50',
      '172.31.0.1',
      '100.64.0.1',
    ]
    for (const host of [...near, 'my-box', 'box.local', 'http://box.lan:80', '[fe80::1]', '[fd00::1]'])
      assert.deepEqual(way(host), [true, false], host)
    const far = [
      '8.8.8.8',
      '172.32.0.1',
      '10.evil.com',
      'localhost.evil.com',
      '192.168.1.1.evil.com',
      '134744072',
      'a.b',
    ]
    for (const host of [...far, '[2001:db8::1]', 'http://ann:b@example.com'])
      assert.deepEqual(way(host), [false, true], host)
    assert.deepEqual([isNear('https://example.com'), isOverheard('https://example.com')], [false, false])
  })
})
