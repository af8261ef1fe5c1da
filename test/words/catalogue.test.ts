import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createKeymap, keyList } from '../../src/tui/keymap.ts'
import { ACP_EN } from '../../src/words/acp-en.ts'
import { ACP_ZH } from '../../src/words/acp-zh.ts'
import { EN } from '../../src/words/en.ts'
import { REPORTS_EN } from '../../src/words/reports-en.ts'
import { REPORTS_ZH } from '../../src/words/reports-zh.ts'
import { EN_SENTENCES } from '../../src/words/sayings/en.ts'
import { ZH_SENTENCES } from '../../src/words/sayings/zh.ts'
import { SETUP_EN } from '../../src/words/setup-en.ts'
import { SETUP_ZH } from '../../src/words/setup-zh.ts'
import { ZH } from '../../src/words/zh.ts'

/**
 * Stands for whatever a function of the catalogue is given: a number, a list, or an object of words, each of which
 * reads `«name»`.
 */
function anything(number: number): unknown {
  const value = { [Symbol.toPrimitive]: () => number, join: () => '«join»' }
  return new Proxy(value, {
    get: (target, key) => (key in target ? Reflect.get(target, key) : `«${String(key)}»`),
  })
}

/** Every text of a catalogue by its path; what is made of arguments is made of several. */
function texts(catalogue: object, path = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [key, value] of Object.entries(catalogue) as [string, unknown][]) {
    const place = path === '' ? key : `${path}.${key}`
    // It has sentences of its own, and a test of them.
    if (place === 'problem') continue
    if (typeof value === 'string') found.set(place, value)
    else if (typeof value === 'function')
      for (const number of [0, 1, 7, 12_345, 90_000_000])
        found.set(`${place}(${number})`, String(value(...Array.from({ length: 3 }, () => anything(number)))))
    else for (const [inner, text] of texts(value as object, place)) found.set(inner, text)
  }
  return found
}

/** Every sentence of a saying by its key, with facts that read `«name»`; a saying within it reads like its fact. */
const sentences = (catalogue: object): [string, string][] =>
  (Object.entries(catalogue) as [string, (facts: object, say: (said: unknown) => string) => string][]).map(
    ([key, sentence]) => [`say ${key}`, sentence(anyFacts, String)],
  )

/** A fact is a text, a list of one, and a number, whatever the sentence takes it for. */
const anyFact = (text: string): unknown =>
  Object.assign(Object(text), {
    join: () => text,
    [Symbol.toPrimitive]: (wanted: string) => (wanted === 'number' ? 7 : text),
  })
/** The first ones are there to be passed on with others. */
const anyFacts = new Proxy(
  Object.fromEntries(
    ['host', 'provider', 'status', 'words', 'model'].map(name => [name, anyFact(`«${name}»`)]),
  ),
  { get: (_, name) => anyFact(`«${String(name)}»`) },
)

const english = new Map([
  ...texts(EN),
  ...texts({ acp: ACP_EN, reports: REPORTS_EN, setup: SETUP_EN }),
  ...sentences(EN_SENTENCES),
])
const chinese = new Map([
  ...texts(ZH),
  ...texts({ acp: ACP_ZH, reports: REPORTS_ZH, setup: SETUP_ZH }),
  ...sentences(ZH_SENTENCES),
])

describe('the catalogue', () => {
  it('has every key in each language', () => {
    assert.deepEqual([...chinese.keys()].sort(), [...english.keys()].sort())
    assert.ok(english.size > 250, 'the catalogue was not read')
  })

  it('leaves no text empty, and puts nothing strange into one', () => {
    for (const [place, text] of [...english, ...chinese]) {
      assert.ok(text.trim() !== '', place)
      assert.doesNotMatch(text, /undefined|NaN|\[object|Infinity/, place)
    }
  })

  it('says the same things in each language', () => {
    const facts = (text: string) => [...new Set(text.match(/«\w+»/g))].sort()
    for (const [place, text] of english)
      assert.deepEqual(facts(chinese.get(place) ?? ''), facts(text), `${place}: ${chinese.get(place)}`)
  })

  it('is Chinese in Chinese', () => {
    /** An option with its value, and what is quoted, is typed as it is in every language. */
    const isSentence = (text: string) =>
      /[a-z]{2,}[,.;:!?]? [a-z]{2,}/i.test(
        text.replaceAll(
          /--[a-z-]+ [a-z]+|\/[a-z]+ [a-z]+|`[^`]+`|"[^"]+"|ollama (?:stop|pull)|gopi acp/g,
          '',
        ),
      )
    for (const [place, text] of chinese) {
      assert.ok(!isSentence(text), `${place}: ${text}`)
      if (isSentence(english.get(place) ?? '')) assert.match(text, /\p{Script=Han}/u, place)
      assert.doesNotMatch(text, /\p{Script=Han}[,;!?]/u, `${place}: ASCII punctuation after Han`)
    }
  })

  it('has a sentence for every action of the keymap, and for nothing else', () => {
    const { keymap } = createKeymap()
    const actions = keyList(keymap).map(({ action }) => action)
    for (const words of [EN, ZH]) {
      assert.deepEqual(Object.keys(words.actions), actions)
      assert.deepEqual(Object.keys(words.groups), [...new Set(keyList(keymap).map(({ group }) => group))])
    }
  })

  it('has one form for one, and another for more', () => {
    assert.deepEqual([EN.moreLines(1), EN.moreLines(2140)], ['1 more line', '2,140 more lines'])
    assert.equal(ZH.moreLines(2140), '还有 2,140 行')
    assert.deepEqual([EN.tokens(1), EN.tokens(0)], ['1 token', '0 tokens'])
  })

  const times: [ms: number, english: string, chinese: string][] = [
    [400, '0.4 s', '0.4 秒'],
    [8_000, '8 s', '8 秒'],
    [9_960, '10 s', '10 秒'],
    [59_400, '59 s', '59 秒'],
    [59_600, '1 min', '1 分钟'],
    [80_000, '1 min 20 s', '1 分 20 秒'],
    [3_600_000, '60 min', '60 分钟'],
  ]
  for (const [ms, en, zh] of times)
    it(`says ${ms} ms as ${en} and ${zh}`, () => assert.deepEqual([EN.time(ms), ZH.time(ms)], [en, zh]))

  const ages: [ms: number, english: string, chinese: string][] = [
    [-5_000, 'just now', '刚刚'],
    [59_000, 'just now', '刚刚'],
    [60_000, '1 minute ago', '1 分钟前'],
    [7_200_000, '2 hours ago', '2 小时前'],
    [86_400_000, '1 day ago', '1 天前'],
    [3_456_000_000, '40 days ago', '40 天前'],
  ]
  for (const [ms, en, zh] of ages)
    it(`says that ${ms} ms ago was ${en}`, () => assert.deepEqual([EN.ago(ms), ZH.ago(ms)], [en, zh]))
})
