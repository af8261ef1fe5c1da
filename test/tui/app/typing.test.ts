/** Whoever types into an open dialog allows nothing, and loses nothing, at any speed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Dialog } from '../../../src/tui/dialog/dialog.ts'
import { textOf } from '../../../src/tui/editor/editor.ts'
import { Transcript } from '../../../src/tui/transcript/transcript.ts'
import { view } from '../../../src/tui/view.ts'
import { approvalOf, asked, chatAt, keys, later, lineText, running, stateOf, typed, words } from './states.ts'

/** Numbers from 0 to 1, the same every time. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const question: Dialog = { type: 'question', title: 'Trust?', text: 'AGENTS.md', top: 0, openedAt: 0 }
const dialogs: readonly Dialog[] = [
  approvalOf(),
  approvalOf({ hard: true }),
  approvalOf({
    preview: { type: 'diff', path: 'a.ts', diff: '@@ -1 +1 @@\n-a\n+b\n', added: 1, removed: 1 },
  }),
  question,
]
const letters = 'yyyaaassssnneeecwbdiltor1?Y日'

describe('typing into an open dialog', () => {
  it('allows nothing unless the whole word was the one key, 10,000 times at random speeds', () => {
    const random = randomFrom(7)
    const of = <T>(list: ArrayLike<T>): T => list[Math.floor(random() * list.length)] as T
    // From 1,000 letters a minute to 100, and no two gaps the same.
    const people = Array.from({ length: 200 }, () => {
      const pace = 12 + random() * 588
      const gap = () => pace * (2 / 3 + (random() * 2) / 3)
      const { state } = typed(
        stateOf(),
        [...'please wait'].map(letter => [letter, gap()] as const),
      )
      return { pace, gap, state }
    })
    let allowed = 0
    for (let n = 0; n < 10_000; n++) {
      const { pace, gap, state: before } = of(people)
      const dialog = of(dialogs)
      const state = { ...before, dialog: { ...dialog, openedAt: later } }
      const word = Array.from({ length: 1 + Math.floor(random() * 7) }, () => of(letters)).join('')
      const end = of(['', ' ', '\r'])
      const presses = [...word, ...end].map(letter => [letter, gap()] as const)
      const step = typed(state, presses, later + 60_000)
      const said = `${JSON.stringify(word + end)} at ${Math.round(pace)} ms`
      const answers = asked(step).flatMap(effect => (effect.type === 'answer' ? [effect.answer] : []))
      const yes = answers.filter(
        answer => answer.type === 'yes' || (answer.type === 'verdict' && answer.verdict.allow),
      )
      allowed += yes.length
      if (yes.length > 0) assert.match(word, /^[yas]$/, said)
      if (word.length < 2) continue
      const left = step.state.dialog
      const because = answers.flatMap(answer =>
        answer.type === 'verdict' && !answer.verdict.allow ? [answer.verdict.because ?? ''] : [],
      )
      const reason = left?.type === 'approval' ? textOf(left.reason) : ''
      const kept = [reason, ...because, step.state.editor.text, ...asked(step).map(sentText)]
      assert.ok(
        kept.some(text => text.includes(word)),
        `${said}: ${JSON.stringify(kept)}`,
      )
    }
    assert.ok(allowed > 50, `${allowed}`)
  })

  it('is a letter on purpose once nothing follows it', () => {
    const state = stateOf({ dialog: approvalOf() })
    assert.deepEqual(
      asked(
        typed(state, [
          ['y', 0],
          ['\x7f', 400],
        ]),
      ),
      [],
    )
    for (const end of ['', '\r'])
      assert.equal(
        asked(typed(state, [['y', 150], ...(end === '' ? [] : [[end, 0] as const])])).length,
        1,
        end,
      )
  })

  it('goes to the model whole, as the reason of a no', () => {
    const because = (text: string, ms: number) =>
      asked(
        typed(
          stateOf({ dialog: approvalOf() }),
          [...text, '\r'].map(letter => [letter, ms] as const),
        ),
      )
    const no = (words: string) => [
      { type: 'answer', answer: { type: 'verdict', verdict: { allow: false, because: words } } },
    ]
    for (const words of ['wait', 'yes but use npm ci', 'say why', 'edit the test', 'no, the other file'])
      assert.deepEqual(because(words, 120), no(words), words)
    // One after the other, the key that asks for words is none of them.
    assert.deepEqual(because('euse npm ci', 400), no('use npm ci'))
    assert.deepEqual(because('wait', 400), no('wait'))
  })

  it('is kept by Enter, commands too, while the question cannot have been seen', () => {
    for (const text of ['/help', '/model', 'wait', '!ls']) {
      for (const enter of ['\r', '\x1b\r']) {
        const before = running(keys(stateOf(), text).state)
        const at = later + 5000
        const { state, effects } = keys({ ...before, dialog: { ...approvalOf(), openedAt: at } }, enter, at)
        assert.equal(textOf(state.editor), text)
        assert.deepEqual([effects, state.panel], [[], undefined], text)
        assert.equal(state.hint, words.questions.answerFirst({ yes: 'y', no: 'n' }))
      }
    }
  })

  it('shows who has the keyboard', () => {
    const draft = keys(stateOf(), 'half a sen').state
    const look = { ...chatAt(later), showTokens: true, keyHints: true }
    const at = (openedAt: number) =>
      view({ ...draft, typedAt: 0, dialog: { ...approvalOf(), openedAt } }, new Transcript(), look)
    const promptOf = ({ rows }: ReturnType<typeof at>) =>
      rows.find(row => lineText(row).includes('half a sen'))
    const fresh = at(later)
    assert.ok(fresh.cursor)
    assert.ok(promptOf(fresh)?.some(({ style }) => style !== 'muted'))
    const owning = at(0)
    assert.equal(owning.cursor, undefined)
    assert.ok(promptOf(owning)?.every(({ style }) => style === 'muted'))
    const buttons = ({ popup }: ReturnType<typeof at>) =>
      popup?.lines.flat().filter(({ style }) => style === 'accent').length ?? 0
    assert.equal(buttons(fresh), 0)
    assert.ok(buttons(owning) >= 5)
  })
})

const sentText = (effect: object): string => ('text' in effect ? String(effect.text) : '')
