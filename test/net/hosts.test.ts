/** Hosts in all the spellings in which a person may name them and a program ask for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNamed, readGoal, readNamed, shownGoal } from '../../src/net/hosts.ts'

const allows = (named: string, goal: string) => {
  const one = readNamed(named)
  assert.ok(one, named)
  const asked = readGoal(goal)
  return asked !== undefined && isNamed([one], asked)
}

test('a host is named in one spelling, at the ports of the web or at its own', () => {
  const rows: [named: string, reached: string[], not: string[]][] = [
    [
      'example.com',
      ['example.com:443', 'example.com:80', 'EXAMPLE.com.:443'],
      [
        'example.com:22',
        'a.example.com:443',
        'xexample.com:443',
        'example.com.evil.org:443',
        'example.co:443',
      ],
    ],
    ['Example.COM.', ['example.com:443'], ['example.com.:8443']],
    ['example.com:8443', ['example.com:8443'], ['example.com:443', 'example.com:80']],
    [
      '*.example.com',
      ['a.example.com:443', 'a.b.Example.com:80', 'a.example.com.:443'],
      [
        'example.com:443',
        'aexample.com:443',
        '.example.com:443',
        'a.example.com:444',
        'a.example.com.evil:443',
      ],
    ],
    ['*.example.com:9', ['a.example.com:9'], ['a.example.com:443']],
    [
      'bücher.example',
      ['bücher.example:443', 'xn--bcher-kva.example:443', 'BÜCHER.example:80'],
      ['bucher.example:443'],
    ],
    [
      '127.0.0.1:3000',
      ['127.0.0.1:3000', '127.1:3000', '0x7f.0.0.1:3000', '2130706433:3000'],
      ['127.0.0.1:3001', 'localhost:3000'],
    ],
    [
      '[::1]:3000',
      ['[::1]:3000', '[0:0:0:0:0:0:0:1]:3000'],
      ['[::2]:3000', '127.0.0.1:3000', '[::ffff:127.0.0.1]:3000'],
    ],
    ['::1', ['[::1]:80'], ['[::1]:81']],
    ['localhost', ['localhost:80', 'LOCALHOST:443'], ['127.0.0.1:80', 'a.localhost:80']],
    ['my_host.example', ['my_host.example:443'], []],
  ]
  for (const [named, reached, not] of rows) {
    for (const goal of reached) assert.ok(allows(named, goal), `${named} names ${goal}`)
    for (const goal of not) assert.ok(!allows(named, goal), `${named} does not name ${goal}`)
  }
})

test('what names no host is none, as a name and as a goal', () => {
  for (const text of [
    ...[
      '',
      '*',
      '*.',
      '*.com',
      '*.localhost',
      '*.127.0.0.1',
      'a.*.com',
      '*a.example.com',
      'https://example.com',
    ],
    ...[
      'example.com/x',
      'a b',
      'a\tb.example',
      'user@example.com',
      'example.com:0',
      'example.com:65536',
      'example.com:',
    ],
    ...[
      'example.com:x',
      ':80',
      '[::1',
      '::1]',
      '[fe80::1%25eth0]',
      'example..com',
      '.example.com',
      'a%2eexample.com',
    ],
    ...[
      'exa\u200bmple.com',
      '1.2.3.4.5',
      '256.1.1.1',
      `${'a'.repeat(64)}.com`,
      'a#b.com',
      'a?b',
      'a\\b',
      '10.0.0.0/8',
    ],
  ])
    assert.equal(readNamed(text), undefined, JSON.stringify(text))
  for (const text of [
    'example.com',
    'a@b:80',
    'a:80:80',
    '[::1]',
    'a/b:80',
    'a:80/',
    ' a:80',
    'a:80 ',
    'a:+80',
    'a:8e1',
    '::1:80',
  ])
    assert.equal(readGoal(text), undefined, JSON.stringify(text))
  assert.deepEqual(readGoal('A.example', 80), { host: 'a.example', port: 80 })
  assert.equal(shownGoal({ host: '::1', port: 80 }), '[::1]:80')
  assert.equal(shownGoal({ host: 'a.example', port: 443 }), 'a.example:443')
})
