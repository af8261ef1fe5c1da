import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Block, Piece } from '../../src/tui/markdown/block.ts'
import { blocksOf, finishText, noBlocks, pushText } from '../../src/tui/markdown/blocks.ts'
import { loadMarkdown, type Markdown } from '../../src/tui/markdown/markdown.ts'
import { chance, documentOf } from './documents.ts'
import { textOf } from './shown.ts'

/** The pieces of a text that comes in parts. */
function streamed(parts: readonly string[]): Piece[] {
  const closed: Piece[] = []
  let blocks = noBlocks
  for (const part of parts) {
    const pushed = pushText(blocks, part)
    closed.push(...pushed.closed)
    blocks = pushed.blocks
  }
  return [...closed, ...finishText(blocks)]
}

const sourceOf = (block: Block | undefined): string | undefined =>
  block?.type === 'code' ? `${block.language}: ${block.text}` : block?.source

/** `+` before what goes on with the block before it. */
const sources = (pieces: readonly Piece[]): string[] =>
  pieces.map(({ block, joined }) => `${joined ? '+' : ''}${sourceOf(block)}`)

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

describe('where a block ends', () => {
  const rows: [what: string, text: string, blocks: string[]][] = [
    ['a blank line', 'a\nb\n\n\nc', ['a\nb', 'c']],
    ['a heading', 'a\n# b\nc', ['a', '# b', 'c']],
    ['no heading', 'a\n#b', ['a\n#b']],
    ['the line that makes a heading', 'a\n---\nb', ['a\n---\nb']],
    ['a rule', 'a\n***\nb', ['a', '***', 'b']],
    ['a fence', 'a\n```ts\nb\n\n# c\n```\nd', ['a', 'ts: b\n\n# c', 'd']],
    ['a fence in a fence', '~~~~\n```\n~~~\n~~~~\na', [': ```\n~~~', 'a']],
    ['a fence that is not closed', '```\na\n', [': a']],
    ['an indented fence', '  ```\n  a\n   b\n c\n  ```', [': a\n b\nc']],
    ['nothing in a fence', '```\n```\na', ['a']],
    ['a list', 'a\n- b\n- c\n\n  d\n- e\n\nf', ['a', '- b\n- c\n\n  d\n- e', 'f']],
    ['another bullet', '- a\n* b', ['- a', '* b']],
    ['a number inside a paragraph', 'a\n2. b', ['a\n2. b']],
    ['a line that is no item', '- a\nb\n\nc', ['- a\nb', 'c']],
    ['a fence in an item', '- a\n  ```\n  b\n\nc\n  ```\n- d', ['- a\n  ```\n  b\n\nc\n  ```\n- d']],
    ['a fence behind a list', '- a\n```\nb\n```', ['- a', ': b']],
    ['a quote', 'a\n> b\nc\n\n> d\n# e', ['a', '> b\nc', '> d', '# e']],
    ['a table', 'a\n| b | c |\n|--|--|\n| d | e |\n\nf', ['a', '| b | c |\n|--|--|\n| d | e |', 'f']],
    ['what only looks like a table', '| a |\n|--|--|\nb', ['| a |\n|--|--|\nb']],
    ['indented code', '    a\n\n    b\nc', ['    a\n\n    b', 'c']],
    [
      'HTML',
      '<div>\n\n<!-- a\n\nb -->\n<pre>\n\n</pre>\nc',
      ['<div>', '<!-- a\n\nb -->', '<pre>\n\n</pre>', 'c'],
    ],
    ['CRLF', '```\r\na\r\n```\r\nb\r\n\r\nc', [': a', 'b', 'c']],
    ['nothing', ' \n\n', []],
  ]
  for (const [what, text, blocks] of rows) {
    it(`knows ${what}`, () => {
      assert.deepEqual(sources(blocksOf(text)), blocks)
      for (let cut = 1; cut < text.length; cut++) {
        assert.deepEqual(sources(streamed([text.slice(0, cut), text.slice(cut)])), blocks, `cut at ${cut}`)
      }
    })
  }

  it('parts a long fence, list and table', () => {
    const fence = blocksOf(`\`\`\`js\n${lines(150, index => `line ${index}`)}\n\`\`\``)
    assert.deepEqual(
      fence.map(({ block, joined }) => [joined, sourceOf(block)?.split('\n').length]),
      [
        [false, 64],
        [true, 64],
        [true, 22],
      ],
    )
    assert.ok(fence[2]?.block.type === 'code' && fence[2].block.before === fence[1]?.block)
    const list = blocksOf(lines(20, () => '1. item'))
    assert.deepEqual(
      list.map(({ block, joined }) => [joined, block.type === 'items' ? block.start : 1]),
      [
        [false, 1],
        [true, 9],
        [true, 17],
      ],
    )
    const table = blocksOf(`| a | b |\n|--|--|\n${lines(70, index => `| ${index} | x |`)}`)
    assert.deepEqual(
      table.map(({ block, joined }) => [joined, block.type, sourceOf(block)?.split('\n').length]),
      [
        [false, 'markdown', 18],
        [true, 'rows', 16],
        [true, 'rows', 16],
        [true, 'rows', 16],
        [true, 'rows', 6],
      ],
    )
  })
})

describe('the open end of a reply', () => {
  const opens = (text: string): string | undefined => sourceOf(pushText(noBlocks, text).blocks.open)

  it('is shown as far as it is decided', () => {
    const rows: [text: string, open: string | undefined][] = [
      ['', undefined],
      ['Hel', 'Hel'],
      ['a\n-', 'a'],
      // The list is known when its line is whole.
      ['a\n- b', 'a\n- b'],
      ['a\n##', 'a'],
      ['a\n``', 'a'],
      ['a\n```ty', 'a'],
      ['```ts\nlet', 'ts: let'],
      ['```ts\nlet a\n``', 'ts: let a'],
      ['1', undefined],
      ['1.', undefined],
      ['| a | b |\n|--|--|\n| 1 ', '| a | b |\n|--|--|'],
      ['a\n\n', undefined],
    ]
    for (const [text, open] of rows) assert.equal(opens(text), open, JSON.stringify(text))
  })

  it('stays the same value until it can be seen to change', () => {
    const { blocks } = pushText(noBlocks, '| a | b |\n|--|--|\n| 1 ')
    assert.equal(pushText(blocks, '| 2').blocks.open, blocks.open)
    assert.notEqual(pushText(blocks, '| 2 |\n').blocks.open, blocks.open)
  })

  it('never grows beyond a bound, whatever comes', () => {
    const texts: [what: string, text: string, most: number][] = [
      ['prose', 'word and **more** words '.repeat(2000), 4_500],
      ['one word', 'x'.repeat(40_000), 4_500],
      ['lines', lines(4000, () => 'some words in a line'), 4_500],
      ['code', `\`\`\`\n${lines(4000, () => 'a = 1')}`, 4_500],
      ['a line of code', `\`\`\`\n${'y'.repeat(40_000)}`, 4_500],
      ['quote', lines(3000, () => '> quoted'), 4_500],
      ['items', lines(3000, () => '- item'), 4_500],
      ['one item', `- a\n${lines(3000, () => '  more of it')}`, 16_500],
      ['rows', `| a | b |\n|--|--|\n${lines(3000, () => '| 1 | 2 |')}`, 4_500],
      ['HTML', `<!--\n${lines(3000, () => 'not ended')}`, 4_500],
      ['indented', lines(3000, () => '    code'), 4_500],
    ]
    for (const [what, text, most] of texts) {
      let blocks = noBlocks
      let taken = 0
      for (let at = 0; at < text.length; at += 97) {
        const pushed = pushText(blocks, text.slice(at, at + 97))
        blocks = pushed.blocks
        taken += pushed.closed.length
        assert.ok(blocks.rest.text.length < most, `${what}: ${blocks.rest.text.length} characters are open`)
      }
      assert.ok(taken > 2, what)
    }
  })
})

describe('a reply in blocks', () => {
  let markdown: Markdown
  before(async () => {
    markdown = await loadMarkdown({ onReady: () => {} })
  })

  const shown = (pieces: readonly Piece[], width: number): string[] =>
    pieces.flatMap(({ block, joined }, index) => [
      ...(index === 0 || joined ? [] : ['']),
      ...textOf(markdown.lines(block, width, { open: true })),
    ])

  for (let seed = 1; seed <= 40; seed++) {
    it(`is the same however it is cut, and looks as in one piece (${seed})`, () => {
      const text = documentOf(seed, 12)
      const random = chance(seed + 1000)
      const parts: string[] = []
      for (let at = 0; at < text.length; ) {
        const size = 1 + Math.floor(random() ** 3 * 200)
        parts.push(text.slice(at, at + size))
        at += size
      }
      const pieces = blocksOf(text)
      assert.deepEqual(streamed(parts), pieces)
      const whole: Piece = { block: { type: 'markdown', source: text }, joined: false }
      assert.deepEqual(shown(pieces, 60), shown([whole], 60))
    })
  }
})
