import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SessionEvent } from '../../../src/protocol/events.ts'
import type { Usage } from '../../../src/protocol/messages.ts'
import { displayWidth } from '../../../src/text/width.ts'
import { footerLine, thousands } from '../../../src/tui/footer.ts'
import { type StageLook, stageLine } from '../../../src/tui/stage-line.ts'
import { type Stage, type Status, statusAfter } from '../../../src/tui/status.ts'
import type { Words } from '../../../src/words/words.ts'
import { ZH } from '../../../src/words/zh.ts'
import { lineText, words } from './states.ts'

const timestamp = '2026-01-01T00:00:00.000Z'
const usage: Usage = {
  ...{ prompt_tokens: 12_345, completion_tokens: 100, load_ms: 0, prefill_ms: 900, decode_ms: 4000 },
  ...{ read_tokens: 345, reused_tokens: 12_000, estimated: true, context_tokens: 12_445 },
}
const status: Status = {
  ...{ directory: '~/code/gopi', branch: 'main', model: 'qwen2.5-coder:7b', dialect: 'native', mode: 'ask' },
  ...{ limit: 32_768, usage, phase: { name: 'idle', since: 0 }, running: false, warnings: [] },
}

interface FooterOptions extends Partial<Status> {
  showTokens?: boolean
  catalogue?: Words
}

const footer = (width: number, { showTokens = true, catalogue = words, ...more }: FooterOptions = {}) =>
  lineText(footerLine({ ...status, ...more }, width, { words: catalogue, showTokens }))

const squeezed = (text: string) => text.trim().replaceAll(/ {3,}/g, ' | ')

describe('the footer', () => {
  const whole = 'ask · qwen2.5-coder:7b native · ~/code/gopi (main)'
  const rows: [width: number, text: string][] = [
    [140, `${whole} | 25 tokens/s · reused ≈12k · read ≈345 · context 12.4k of 32.8k (38 %)`],
    [120, `${whole} | reused ≈12k · read ≈345 · context 12.4k of 32.8k (38 %)`],
    [100, `${whole} | read ≈345 · context 12.4k of 32.8k (38 %)`],
    [80, `${whole} | 38 %`],
    [60, `${whole} | 38 %`],
    [55, 'ask · qwen2.5-coder:7b native · gopi (main) | 38 %'],
    [40, 'ask · qwen2.5-coder:7b native | 38 %'],
    [20, 'ask | 38 %'],
    [8, 'ask'],
    [3, 'ask'],
    [1, 'a'],
  ]
  for (const [width, text] of rows) {
    it(`keeps what matters most in ${width} columns`, () => {
      assert.equal(squeezed(footer(width)), text)
    })
  }

  it('fills the row, and is never wider', () => {
    const hard = {
      directory: '~/工作/一个很长的目录名字/项目',
      branch: 'feature/日本語-👩‍👩‍👧',
      warnings: ['demo', 'untrusted', 'noServer'] as const,
    }
    for (const catalogue of [words, ZH])
      for (const more of [{}, hard])
        for (let width = 1; width < 150; width++) {
          const used = displayWidth(footer(width, { catalogue, ...more }))
          assert.ok(used <= width, `${used} of ${width}`)
          if (width >= 12) assert.equal(used, width)
        }
  })

  it('warns longer than it says where', () => {
    const told = footer(75, { warnings: ['untrusted'] })
    assert.match(told, /^ask · qwen2.5-coder:7b native · gopi \(main\) · folder not trusted/)
    assert.match(
      footer(60, { warnings: ['untrusted'] }),
      /^ask · qwen2.5-coder:7b native · folder not trusted/,
    )
  })

  it('keeps the tokens to itself when they are not wanted, and before they are known', () => {
    const { usage: _, limit: __, ...unknown } = status
    for (const line of [
      footer(140, { showTokens: false }),
      lineText(footerLine(unknown, 140, { words, showTokens: true })),
    ])
      assert.equal(line.trim(), whole)
  })

  it('has a colour for a mode that allows more, and for a context that fills up', () => {
    const styles = (more: object) =>
      footerLine({ ...status, ...more }, 140, { words, showTokens: true })
        .filter(({ style }) => style !== 'muted' && style !== 'plain')
        .map(({ text, style }) => `${style} ${text.split(' ')[0]}`)
    assert.deepEqual(styles({}), ['accent ask'])
    assert.deepEqual(styles({ mode: 'plan' }), ['warning plan'])
    assert.deepEqual(styles({ mode: 'yolo' }), ['danger yolo'])
    assert.deepEqual(styles({ usage: { ...usage, context_tokens: 20_000 } }), [
      'accent ask',
      'warning context',
    ])
    assert.deepEqual(styles({ usage: { ...usage, context_tokens: 30_000 } }), [
      'accent ask',
      'danger context',
    ])
    assert.deepEqual(styles({ warnings: ['demo'] }), ['accent ask', 'warning demo:'])
  })

  it('writes counts short', () => {
    const counts = [0, 999, 1000, 1049, 12_345, 99_949, 99_950, 131_072]
    assert.deepEqual(counts.map(thousands), ['0', '999', '1k', '1k', '12.3k', '99.9k', '100k', '131k'])
  })
})

describe('the stage', () => {
  const stage = (more: Partial<Stage>, width = 80, now = 0) => {
    const look: StageLook = { words, now, stopKey: 'Esc' }
    return lineText(stageLine({ name: 'waiting', since: 0, ...more }, width, look))
  }
  const rows: [line: string, wanted: string][] = [
    [stage({}), '⠋ waiting for the server · Esc stops'],
    [stage({}, 80, 250), '⠙ waiting for the server · Esc stops'],
    [stage({}, 80, 12_900), '⠙ waiting for the server · 12 s · Esc stops'],
    [stage({ name: 'reading', tokens: 4000 }), '⠋ reading 4,000 tokens · Esc stops'],
    [
      stage({ name: 'reading', tokens: 4000, etaMs: 9000 }, 80, 2000),
      '⠇ reading 4,000 tokens · 2 s · about 7 s · Esc stops',
    ],
    [stage({ name: 'reading', tokens: 1, etaMs: 900 }, 80, 5000), '⠋ reading 1 token · 5 s · Esc stops'],
    [stage({ name: 'writing' }, 80, 60_000), '· writing · Esc stops'],
    [stage({ name: 'tool' }, 80, 61_000), '⠼ running a tool · 1 min 1 s · Esc stops'],
    [stage({}, 30), '⠋ waiting for the server'],
    [stage({}, 10), '⠋ waiting '],
    [stage({}, 1, -5000), '⠋ '],
  ]
  it('says what happens, for how long and for how long still', () => {
    assert.deepEqual(
      rows.map(([line]) => line),
      rows.map(([, wanted]) => wanted),
    )
  })
})

describe('the status', () => {
  const after = (events: SessionEvent[], from = status) =>
    events.reduce((before, event, index) => statusAfter(before, event, 1000 * (index + 1)), from)
  const phase = (name: Stage['name'], more = {}): SessionEvent => ({ type: 'phase', phase: name, ...more })

  it('counts a wait from its beginning, whatever becomes known of it', () => {
    const { running, phase: stage } = after([phase('waiting'), phase('reading', { tokens: 9, eta_ms: 50 })])
    assert.deepEqual([running, stage], [true, { name: 'reading', since: 1000, tokens: 9, etaMs: 50 }])
    assert.equal(after([phase('waiting'), phase('loading')]).phase.since, 1000)
    assert.equal(after([phase('thinking'), phase('writing')]).phase.since, 2000)
  })

  it('rests when the run has ended', () => {
    for (const end of [phase('idle'), { type: 'agent_end', reason: 'done', turns: 1, timestamp } as const]) {
      const { running, phase: stage } = after([phase('writing'), end])
      assert.deepEqual([running, stage.name], [false, 'idle'])
    }
  })

  it('follows the model, the mode, and how full the context is', () => {
    const next = after([
      { type: 'model_change', model: 'other', tool_calling: 'react', num_ctx: 8192, timestamp },
      { type: 'mode_change', mode: 'plan', timestamp },
      { type: 'compaction', id: 'k', summary: '', token_before: 9, token_after: 700, kept: [], timestamp },
    ])
    assert.deepEqual([next.model, next.dialect, next.mode], ['other', 'react', 'plan'])
    assert.equal(next.usage?.context_tokens, 700)
  })

  it('warns of a server that is away until it has answered', () => {
    const away: SessionEvent = { type: 'error', code: 'no_server', message: 'x', timestamp }
    const said = { type: 'message', role: 'assistant', id: 'a', content: 'hi', stop_reason: 'stop' } as const
    assert.deepEqual(after([away, away]).warnings, ['noServer'])
    assert.deepEqual(after([away, { ...said, timestamp }]).warnings, [])
  })
})
