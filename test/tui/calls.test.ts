import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clipboardSequence } from '../../src/text/clipboard.ts'
import { attention } from '../../src/tui/attention.ts'

/** Bytes; more than that some terminals drop. */
const mostCopied = 100 * 1024

describe('copying', () => {
  it('puts the text into one sequence that says nothing else', () => {
    for (const text of ['', 'plain', '文字\n\x1b]52;c;x\x07', 'a'.repeat(mostCopied)]) {
      const sequence = clipboardSequence(text) ?? ''
      const [, body = ''] = /^\x1b\]52;c;([A-Za-z0-9+/=]*)\x07$/.exec(sequence) ?? []
      assert.equal(Buffer.from(body, 'base64').toString(), text)
      assert.ok(sequence.startsWith('\x1b]52;c;'))
    }
  })

  it('is not done with what a terminal may not take, counted in bytes', () => {
    assert.equal(clipboardSequence('a'.repeat(mostCopied + 1)), undefined)
    assert.equal(clipboardSequence('文'.repeat(mostCopied / 2)), undefined)
  })
})

describe('calling for the person', () => {
  const BELL = '\x07'
  const SHOWN = '\x1b]9;gopi is done\x07'
  const rows: [env: Record<string, string>, sequence: string][] = [
    [{}, BELL],
    [{ TERM: 'xterm-256color' }, BELL],
    [{ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, SHOWN],
    [{ TERM_PROGRAM: 'WezTerm' }, SHOWN],
    [{ TERM: 'xterm-kitty' }, SHOWN],
    [{ TERM: 'xterm-ghostty' }, SHOWN],
    [{ TERM: 'foot' }, SHOWN],
    [{ TERM: 'footage' }, BELL],
    [{ TERM_PROGRAM: 'Apple_Terminal' }, BELL],
    [{ TERM: 'xterm-kitty', TMUX: '/tmp/tmux-1/default,1,0' }, BELL],
    [{ TERM_PROGRAM: 'iTerm.app', STY: '1.pts-0' }, BELL],
  ]
  for (const [env, sequence] of rows)
    it(`sends ${sequence === BELL ? 'a bell' : 'OSC 9'} for ${JSON.stringify(env)}`, () =>
      assert.equal(attention('gopi is done', env), sequence))

  it('lets no text out of the sequence, nor into another one', () => {
    const env = { TERM: 'xterm-kitty' }
    assert.equal(attention('a\x07b\x1b]0;title\x07\nc\x9d52;c;x\x9cd', env), '\x1b]9;ab cd\x07')
    assert.equal(attention('4;3;100', env), '\x1b]9;gopi 4;3;100\x07')
    assert.ok(attention('文'.repeat(5000), env).length < 300)
  })
})
