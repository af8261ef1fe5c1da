import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SessionEvent } from '../../../src/protocol/events.ts'
import type { Usage } from '../../../src/protocol/messages.ts'
import { displayWidth } from '../../../src/text/width.ts'
import { footerLine } from '../../../src/tui/footer.ts'
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
    [140, `${whole} | context 12.4k of 32.8k (38 %)`],
    [85, `${whole} | context 12.4k of 32.8k (38 %)`],
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

  it('says that edits run, in the mode that would ask about them only', () => {
    assert.match(footer(80, { editsRun: true }), /^ask, edits run · qwen/)
    assert.match(footer(80, { editsRun: true, mode: 'plan' }), /^plan · qwen/)
  })

  it('says that commands run in a sandbox, and which hosts were in reach', () => {
    const after = (...cases: { case: string; hosts?: string }[]) =>
      cases.reduce<Status>(
        (one, facts) =>
          statusAfter(one, { type: 'permission', facts, timestamp } as unknown as SessionEvent, 0),
        status,
      )
    const at = (width: number, { wall }: Status) =>
      footer(width, { ...(wall && { wall }), showTokens: false })
    const work = { case: 'sandbox_work', hosts: 'a.example, *.b.example, c.example:8443' }
    assert.doesNotMatch(at(140, status), /sandbox/)
    assert.match(at(140, after({ case: 'sandbox_read' })), /\(main\) · sandbox *$/)
    assert.match(at(140, after(work, { case: 'sandbox_read' })), /\(main\) · sandbox → a\.example \+2 *$/)
    assert.match(at(70, after(work)), /\(main\) · sandbox *$/)
    assert.match(at(140, after({ case: 'sandbox_work', hosts: 'a.example' })), / · sandbox → a\.example *$/)
  })

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
})

describe('the stage', () => {
  const stage = (more: Partial<Stage>, width = 80, now = 0, others: Partial<StageLook> = {}) => {
    const keys = { stopKey: 'Esc', moreTimeKey: 'Ctrl+T', backgroundKey: 'Ctrl+B', enoughKey: 'Alt+T' }
    const look: StageLook = { words, now, ...keys, callsComeWhole: false, ...others }
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
    [stage({ name: 'reading', tokens: 1, etaMs: 900 }, 80, 1900), '⠧ reading 1 token · 1 s · Esc stops'],
    [
      stage({ name: 'reading', tokens: 1, etaMs: 900 }, 80, 5000),
      '⠋ reading 1 token · 5 s · longer than usual · Esc stops',
    ],
    [
      stage({ name: 'reading', tokens: 9, etaMs: 900 }, 120, 5000, { callsComeWhole: true }),
      '⠋ reading 9 tokens · 5 s · longer than usual, or composing a call, which the server sends whole · Esc stops',
    ],
    [stage({ name: 'reading', tokens: 9 }, 80, 500_000), '⠋ reading 9 tokens · 8 min 20 s · Esc stops'],
    [
      stage({ name: 'reading', tokens: 9 }, 120, 4000, { callsComeWhole: true }),
      '⠦ reading 9 tokens · 4 s · or composing a call, which the server sends whole · Esc stops',
    ],
    [
      stage({ name: 'reading', tokens: 4000 }, 120, 4000, { callsComeWhole: true }),
      '⠦ reading 4,000 tokens · 4 s · Esc stops',
    ],
    [
      stage(
        { name: 'writing', pieces: 401, flowedAt: 60_000, paced: { ms: 60_000, pieces: 401 } },
        80,
        61_000,
      ),
      '⠙ writing · 1 min 1 s · ≈ 6.7 tok/s · Esc stops',
    ],
    [
      stage(
        { name: 'writing', pieces: 401, flowedAt: 60_000, paced: { ms: 60_000, pieces: 401 } },
        80,
        75_000,
      ),
      '⠴ writing · 1 min 15 s · ≈ 6.7 tok/s · Esc stops',
    ],
    [
      stage(
        { name: 'writing', pieces: 401, flowedAt: 60_000, paced: { ms: 60_000, pieces: 401 } },
        80,
        75_000,
        { callsComeWhole: true },
      ),
      '⠋ composing a call · 15 s · the server sends it whole · Esc stops',
    ],
    [
      stage({ name: 'writing', pieces: 3, flowedAt: 2000, paced: { ms: 2000, pieces: 3 } }, 80, 9000, {
        callsComeWhole: true,
      }),
      '⠏ writing · 9 s · ≈ 1.0 tok/s · Esc stops',
    ],
    [stage({ name: 'thinking' }, 80, 4000), '⠼ thinking · 4 s · Esc stops'],
    [stage({ name: 'thinking' }, 80, 6000), '⠦ thinking · 6 s · Alt+T has it answer now · Esc stops'],
    [stage({ name: 'call' }, 80, 4000), '⠦ composing a call · 4 s · Esc stops'],
    [stage({ name: 'tool' }, 80, 61_000), '⠼ running a tool · 1 min 1 s · Esc stops'],
    [
      stage({ name: 'tool' }, 80, 61_000, { call: { name: 'bash', since: 1000, limitMs: 120_000 } }),
      '⠋ running bash · 60 s / 120 s · Ctrl+B to the background · Esc stops',
    ],
    [
      stage({ name: 'tool' }, 80, 61_000, { call: { name: 'bash', since: 1000 } }),
      '⠋ running bash · 1 min · Ctrl+B to the background · Esc stops',
    ],
    [
      stage({ name: 'tool' }, 80, 61_000, { call: { name: 'task', since: 1000 } }),
      '⠋ running task · 1 min · Esc stops',
    ],
    [
      stage({ name: 'tool' }, 80, 98_000, { call: { name: 'bash', since: 1000, limitMs: 120_000 } }),
      '⠇ running bash · 97 s / 120 s · Ctrl+T gives it more time · Esc stops',
    ],
    [stage({}, 30), '⠋ waiting for the server'],
    [stage({}, 45, 12_900), '⠙ waiting for the server · 12 s · Esc stops'],
    [stage({}, 36, 12_900), '⠙ waiting for the server · 12 s'],
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
  const phase = (name: Exclude<Stage['name'], 'summary' | 'call'>, more = {}): SessionEvent => ({
    type: 'phase',
    phase: name,
    ...more,
  })

  it('counts a wait from its beginning, whatever becomes known of it', () => {
    const { running, phase: stage } = after([phase('waiting'), phase('reading', { tokens: 9, eta_ms: 50 })])
    assert.deepEqual([running, stage], [true, { name: 'reading', since: 1000, tokens: 9, etaMs: 50 }])
    assert.equal(after([phase('waiting'), phase('loading')]).phase.since, 1000)
    assert.equal(after([phase('thinking'), phase('writing')]).phase.since, 2000)
  })

  it('counts the pieces of a reply, and tells its pace once a second', () => {
    const piece = { type: 'message_delta', message_id: 'm', text: 'x' } as const
    const writes = statusAfter(status, phase('writing'), 0)
    const later = [400, 800, 1200, 1600, 2300].reduce(
      (before, now) => statusAfter(before, piece, now),
      writes,
    )
    assert.deepEqual(later.phase, {
      ...{ name: 'writing', since: 0, pieces: 5, flowedAt: 2300 },
      paced: { ms: 2300, pieces: 5 },
    })
    assert.deepEqual(statusAfter(later, piece, 2500).phase.paced, { ms: 2300, pieces: 5 })
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
    assert.deepEqual(after([away, phase('reading')]).warnings, ['noServer'])
    assert.deepEqual(after([away, phase('loading')]).warnings, [])
    assert.deepEqual(after([away, { ...said, timestamp }]).warnings, [])
    // It has read what is being typed.
    assert.deepEqual(after([away, { type: 'read_ahead' }]).warnings, [])
    const missing: SessionEvent = { ...away, code: 'no_model' }
    assert.deepEqual(after([away, missing]).warnings, ['noModel'])
    assert.deepEqual(after([missing, { ...said, timestamp }]).warnings, [])
  })
})
