import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endedLine } from '../../src/kit/ended.ts'
import type { Cell } from '../../src/tui/cells/cell.ts'
import { textLines } from '../../src/tui/cells/text.ts'
import type { Block } from '../../src/tui/markdown/block.ts'
import { blocksOf, noBlocks, pushText } from '../../src/tui/markdown/blocks.ts'
import type { Markdown } from '../../src/tui/markdown/markdown.ts'
import { widthOf } from '../../src/tui/spans.ts'
import { farewellLines, lastReply } from '../../src/tui/transcript/text.ts'
import { Transcript } from '../../src/tui/transcript/transcript.ts'
import { EN } from '../../src/words/en.ts'
import { documentOf } from './documents.ts'
import { dressed, textOf } from './shown.ts'

const LOOK = { unfolded: false, words: EN, now: 0 }
const SIZE = { width: 20, height: 6, look: LOOK }

const note = (message: string): Cell => ({ type: 'notice', level: 'note', message })
const notes = (count: number): Cell[] => Array.from({ length: count }, (_, index) => note(`note ${index}`))
const replies = (text: string): Cell[] => blocksOf(text).map(piece => ({ type: 'reply', ...piece }))
const sourceOf = (block: Block): string => (block.type === 'code' ? block.text : block.source)

function transcriptOf(...cells: Cell[]): Transcript {
  const transcript = new Transcript()
  transcript.append(...cells)
  return transcript
}

/** Without the band of the person's own words. */
const shown = (transcript: Transcript, size = SIZE): string[] =>
  textOf(transcript.view(size).lines).map(line => line.trimEnd())

/** Draws text as it is, and counts the blocks that it draws. */
function counting(): Markdown & { drawn: number; version: number } {
  return {
    version: 0,
    drawn: 0,
    code: () => undefined,
    lines(block, width) {
      this.drawn++
      return textLines(sourceOf(block), width, { style: 'plain' })
    },
  }
}

describe('what is in view', () => {
  it('takes back the blocks of the last reply, and what was marked or found there', () => {
    const transcript = transcriptOf(note('before'), ...replies('One.\n\nTwo.'))
    transcript.view(SIZE)
    assert.ok(transcript.find('Two'))
    assert.ok(transcript.focus({ to: 'cell', by: -1 }))
    transcript.unsay()
    assert.deepEqual(shown(transcript), ['· before'])
    assert.equal(transcript.focusedText, undefined)
    transcript.append(...replies('Three.'))
    assert.deepEqual(shown(transcript), ['· before', '', 'Three.'])
    transcript.unsay()
    transcript.unsay()
    assert.deepEqual(shown(transcript), ['· before'])
  })

  it('marks a prompt over its whole band', () => {
    const transcript = transcriptOf({ type: 'user', text: 'hi' }, note('more'))
    transcript.view(SIZE)
    assert.ok(transcript.focus({ to: 'prompt', by: -1 }))
    const [first = []] = transcript.view(SIZE).lines
    assert.deepEqual([...new Set(first.map(({ style }) => style))], ['selected'])
    assert.equal(widthOf(first), SIZE.width)
  })

  it('is the end, with a blank line between cells that do not belong together', () => {
    const transcript = transcriptOf({ type: 'user', text: 'hi' }, ...notes(2), {
      ...note('more'),
      joined: true,
    })
    assert.deepEqual(transcript.view({ ...SIZE, height: 9 }), {
      lines: transcript.view({ ...SIZE, height: 9 }).lines,
      above: false,
      below: false,
    })
    assert.deepEqual(shown(transcript, { ...SIZE, height: 9 }), [
      '› hi',
      '',
      '· note 0',
      '',
      '· note 1',
      '· more',
    ])
    const { lines, above, below } = transcript.view({ ...SIZE, height: 4 })
    assert.deepEqual([textOf(lines), above, below], [['· note 0', '', '· note 1', '· more'], true, false])
    transcript.append(note('new'))
    assert.deepEqual(shown(transcript, { ...SIZE, height: 3 }), ['· more', '', '· new'])
  })

  it('is nothing where there is nothing', () => {
    assert.deepEqual(new Transcript().view(SIZE), { lines: [], above: false, below: false })
    const empty: Cell = { type: 'reply', block: { type: 'code', language: '', text: '' } }
    assert.deepEqual(shown(transcriptOf(note('a')), { ...SIZE, height: 0 }), [])
    assert.equal(shown(transcriptOf(empty, note('a'))).at(-1), '· a')
  })

  it('has the cells that still change at its end', () => {
    const transcript = transcriptOf(note('a'))
    const running: Cell = { type: 'running', tool: { name: 'bash', arguments: {}, output: '' }, since: 100 }
    transcript.setLive([running])
    const at = (now: number) => shown(transcript, { ...SIZE, look: { ...LOOK, now } }).at(-1)
    assert.deepEqual([at(500), at(4000)], ['● bash', '● bash · 3 s'])
    transcript.append(note('b'))
    transcript.setLive([])
    assert.deepEqual(shown(transcript), ['· a', '', '· b'])
    transcript.clear()
    assert.deepEqual(shown(transcript), [])
  })
})

describe('scrolling', () => {
  it('goes by rows and pages, to the top and to the end', () => {
    const transcript = transcriptOf(...notes(50))
    transcript.view(SIZE)
    assert.ok(transcript.following)
    transcript.scroll(-2)
    assert.deepEqual([shown(transcript).at(-1), transcript.following], ['· note 48', false])
    assert.ok(transcript.view(SIZE).below)
    transcript.page(-1)
    assert.equal(shown(transcript).at(-1), '· note 46')
    transcript.toTop()
    assert.deepEqual(shown(transcript)[0], '· note 0')
    transcript.scroll(-10)
    assert.deepEqual(shown(transcript)[0], '· note 0')
    transcript.scroll(2)
    assert.deepEqual(shown(transcript)[0], '· note 1')
    transcript.page(1)
    assert.ok(!transcript.following)
    transcript.scroll(1000)
    assert.deepEqual([shown(transcript).at(-1), transcript.following], ['· note 49', true])
    transcript.toTop()
    transcript.toEnd()
    assert.equal(shown(transcript).at(-1), '· note 49')
  })

  it('stays where the person left it while text streams in', () => {
    const transcript = transcriptOf(...replies(documentOf(3, 12)))
    transcript.view(SIZE)
    transcript.scroll(-7)
    const before = transcript.view(SIZE).lines
    let blocks = noBlocks
    const text = documentOf(4, 6)
    for (let at = 0; at < text.length; at += 7) {
      const pushed = pushText(blocks, text.slice(at, at + 7))
      blocks = pushed.blocks
      transcript.append(...pushed.closed.map((piece): Cell => ({ type: 'reply', ...piece })))
      transcript.setLive(
        blocks.open ? [{ type: 'reply', block: blocks.open, joined: blocks.joined, open: true }] : [],
      )
      const { lines, below } = transcript.view(SIZE)
      assert.ok(below)
      assert.ok(lines.every((line, index) => line === before[index]))
    }
    transcript.scroll(10_000)
    assert.ok(transcript.following)
  })

  it('keeps its place in what still grows, also when that is closed', () => {
    const transcript = new Transcript()
    const text = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n')
    const cell = (source: string): Cell => ({ type: 'reply', block: { type: 'markdown', source } })
    transcript.setLive([cell(text)])
    transcript.view(SIZE)
    transcript.scroll(-10)
    assert.equal(shown(transcript)[0], 'line 14')
    transcript.setLive([cell(`${text}\nline 30`)])
    assert.equal(shown(transcript)[0], 'line 14')
    transcript.append(cell(text))
    transcript.setLive([cell('line 31')])
    assert.equal(shown(transcript)[0], 'line 14')
    transcript.clear()
    assert.ok(transcript.following)
  })

  it('keeps its place when the screen is resized, and comes back to it', () => {
    const words = Array.from({ length: 300 }, (_, index) => `w${index}`).join(' ')
    const transcript = transcriptOf(note(words), ...notes(20))
    transcript.view(SIZE)
    transcript.toTop()
    transcript.scroll(30)
    const first = shown(transcript)[0] ?? ''
    const word = first.trim().split(' ')[0]
    for (const width of [40, 8, 120, 33]) {
      const line = shown(transcript, { ...SIZE, width })[0] ?? ''
      assert.ok(line.split(/\s+/).includes(word ?? ''), `${width}: ${line}`)
    }
    assert.equal(shown(transcript)[0], first)
  })

  it('keeps its place when everything is unfolded, and follows again where the end comes into view', () => {
    const thinking: Cell = { type: 'thinking', text: 'one\ntwo\nthree', ms: 3000 }
    const transcript = transcriptOf(...notes(10), thinking, ...notes(10))
    transcript.view(SIZE)
    transcript.scroll(-15)
    assert.equal(shown(transcript)[0], '· Thought for 3 s')
    const unfolded = { ...SIZE, look: { ...LOOK, unfolded: true } }
    assert.deepEqual(shown(transcript, unfolded).slice(0, 4), [
      '· Thought for 3 s',
      '  one',
      '  two',
      '  three',
    ])
    assert.equal(transcript.following, false)
    assert.equal(shown(transcript, { ...SIZE, height: 60 }).length, 41)
    assert.ok(transcript.following)
  })
})

describe('the work for a frame', () => {
  it('does not grow with the conversation', () => {
    const markdown = counting()
    const transcript = new Transcript()
    transcript.useMarkdown(markdown)
    const view = () => transcript.view({ ...SIZE, height: 40 })
    for (let round = 0; round < 100; round++) transcript.append(...replies('a b c\n\n'.repeat(1000)))
    view()
    assert.ok(markdown.drawn <= 40, `${markdown.drawn} blocks were drawn`)
    markdown.drawn = 0
    view()
    assert.equal(markdown.drawn, 0)
    for (let delta = 0; delta < 50; delta++) {
      transcript.setLive([
        { type: 'reply', block: { type: 'markdown', source: 'x '.repeat(delta) }, open: true },
      ])
      view()
    }
    assert.ok(markdown.drawn <= 50, `${markdown.drawn} blocks were drawn for 50 deltas`)
    transcript.scroll(-1000)
    markdown.drawn = 0
    transcript.setLive([])
    view()
    view()
    assert.ok(markdown.drawn <= 25, `${markdown.drawn} blocks were drawn in the middle`)
    markdown.drawn = 0
    transcript.toTop()
    view()
    assert.ok(markdown.drawn <= 60, `${markdown.drawn} blocks were drawn at the top`)
  })

  it('is forgotten when it was not seen for long', () => {
    const markdown = counting()
    const transcript = transcriptOf(...replies('a\n\n'.repeat(5000)))
    transcript.useMarkdown(markdown)
    transcript.view(SIZE)
    const pageUp = (): void => {
      transcript.page(-1)
      transcript.view(SIZE)
    }
    for (let page = 0; page < 10; page++) pageUp()
    markdown.drawn = 0
    transcript.toEnd()
    transcript.view(SIZE)
    assert.equal(markdown.drawn, 0, 'what was seen just now is drawn again')
    transcript.scroll(-100)
    transcript.view(SIZE)
    for (let page = 0; page < 1000; page++) pageUp()
    transcript.toEnd()
    transcript.view(SIZE)
    markdown.drawn = 0
    transcript.scroll(-100)
    transcript.view(SIZE)
    assert.ok(markdown.drawn > 0, 'everything is kept')
  })

  it('leaves lines that stay equal the same objects', () => {
    const transcript = transcriptOf(...replies('one\n\ntwo'))
    const live = (source: string): void =>
      transcript.setLive([{ type: 'reply', block: { type: 'markdown', source }, open: true }])
    live('a\nb\nc')
    const before = transcript.view(SIZE).lines
    live('a\nb\nc and more')
    const after = transcript.view(SIZE).lines
    assert.deepEqual(
      after.map(line => before.indexOf(line)),
      [0, 1, 2, 3, 4, -1],
    )
    live('a\nb\nc and more\nd')
    assert.deepEqual(
      transcript.view(SIZE).lines.map(line => after.indexOf(line)),
      [1, 2, 3, 4, 5, -1],
    )
  })

  it('is done again when Markdown was loaded, and when code has got its colours', () => {
    const transcript = transcriptOf(...replies('**a**'))
    assert.deepEqual(shown(transcript), ['**a**'])
    const markdown = {
      ...counting(),
      lines: () => [[{ text: `a${markdown.version}`, style: 'plain' as const }]],
    }
    transcript.useMarkdown(markdown)
    assert.deepEqual(shown(transcript), ['a0'])
    markdown.version++
    assert.deepEqual(shown(transcript), ['a1'])
  })
})

describe('looking for a text', () => {
  const talk = (): Transcript =>
    transcriptOf(
      { type: 'user', text: 'Where is the Parser?' },
      ...replies('The **par**ser is in `src/parse.ts`.'),
      {
        type: 'tool',
        tool: { name: 'bash', arguments: { command: 'ls' }, is_error: false, content: 'parser' },
        ms: 1,
      },
      ...notes(20),
      note('nothing else'),
    )

  it('goes from the newest place back, and shows it', () => {
    const transcript = talk()
    const size = { ...SIZE, width: 60 }
    const marks = (): string[] =>
      dressed(transcript.view(size).lines)
        .filter(line => /selected|match/.test(line))
        .map(line => line.trimEnd())
    transcript.view(size)
    assert.deepEqual(transcript.find('pars'), { at: 1, of: 3, isMore: false })
    assert.ok(marks().includes('  ⟨selected: pars⟩⟨muted: er⟩'), 'it is unfolded')
    transcript.findNext('older')
    assert.deepEqual(marks(), [
      '⟨ownSign: › ⟩⟨own: Where is the ⟩⟨match: Pars⟩⟨own: er?⟩',
      'The **par**ser is in `src/⟨selected: pars⟩e.ts`.',
    ])
    assert.ok(transcript.findNext('older'))
    assert.equal(marks()[0], '⟨ownSign: › ⟩⟨own: Where is the ⟩⟨selected: Pars⟩⟨own: er?⟩')
    const walk = (to: 'older' | 'newer') => transcript.findNext(to)?.at
    assert.deepEqual([walk('older'), walk('newer'), walk('newer')], [1, 3, 2], 'it goes round')
    assert.ok(transcript.find('Parser'))
    assert.ok(!transcript.find('PARSER'))
    transcript.find('')
    assert.deepEqual(marks(), [])
  })

  it('finds what is drawn, not what it was drawn from', () => {
    const transcript = talk()
    transcript.useMarkdown({
      version: 0,
      code: () => undefined,
      lines: (block, width) => textLines(sourceOf(block).replaceAll('*', ''), width, { style: 'plain' }),
    })
    transcript.view({ ...SIZE, width: 60 })
    assert.ok(transcript.find('the parser is'))
    assert.ok(!transcript.find('**par'))
  })

  it('finds folded text, and unfolds it while it is what was found', () => {
    const transcript = transcriptOf(
      { type: 'thinking', text: 'a secret', ms: 1 },
      { type: 'user', text: 'no secret' },
      ...notes(9),
    )
    const isUnfolded = () => shown(transcript).some(line => line.includes('a secret'))
    transcript.view(SIZE)
    assert.deepEqual(transcript.find('secret'), { at: 1, of: 2, isMore: false })
    assert.ok(!isUnfolded())
    assert.deepEqual(transcript.findNext('older'), { at: 2, of: 2, isMore: false })
    assert.ok(isUnfolded())
    assert.equal(transcript.findNext('older')?.at, 1)
    transcript.toTop()
    assert.ok(!isUnfolded())
    assert.equal(transcript.findNext('newer')?.at, 2)
    transcript.find('')
    assert.ok(isUnfolded(), 'what was found stays')
  })

  it('counts no more than anybody reads', () => {
    const transcript = transcriptOf(...notes(3000))
    transcript.view(SIZE)
    assert.deepEqual(transcript.find('note'), { at: 1, of: 1000, isMore: true })
    assert.equal(transcript.findNext('newer')?.at, 1000)
    assert.deepEqual(transcript.findNext('older'), { at: 1001, of: 1001, isMore: true })
  })

  it('finds what is broken over two rows, and special characters', () => {
    const transcript = transcriptOf({ type: 'user', text: 'find 你好世界 (a+b)* here [x]' }, ...notes(9))
    const width = 12
    transcript.view({ ...SIZE, width })
    for (const text of ['好世界', '世界 (a', '(a+b)* here', '[x]', 'here [']) {
      assert.ok(transcript.find(text), text)
    }
    transcript.find('好世界')
    const found = dressed(transcript.view({ ...SIZE, width }).lines).map(line => line.trimEnd())
    assert.deepEqual(found.slice(0, 2), ['⟨ownSign: › ⟩⟨own: find 你⟩⟨selected: 好⟩', '  ⟨selected: 世界⟩'])
  })

  it('draws only the cells that may hold it', () => {
    const markdown = counting()
    const transcript = transcriptOf(...replies(`needle\n\n${'hay\n\n'.repeat(5000)}`))
    transcript.useMarkdown(markdown)
    transcript.view(SIZE)
    markdown.drawn = 0
    assert.ok(transcript.find('needle'))
    assert.ok(markdown.drawn <= 1 + SIZE.height, `${markdown.drawn} blocks were drawn`)
    assert.equal(shown(transcript)[0], 'needle')
  })
})

describe('the conversation as text', () => {
  it('is the last reply as it was written', () => {
    const code = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n')
    const list = Array.from({ length: 30 }, (_, index) => `${index + 1}. item`).join('\n')
    const reply = `# One\n\ntext **x**\n\n\`\`\`ts\n${code}\n\`\`\`\n\n${list}`
    const transcript = transcriptOf(
      ...replies('first'),
      { type: 'user', text: 'again' },
      ...replies(reply),
      note('x'),
    )
    assert.equal(lastReply(transcript), reply)
    assert.equal(lastReply(transcriptOf(note('x'))), undefined)
  })

  it('is its last part when gopi is left', () => {
    const transcript = transcriptOf(...notes(100))
    transcript.view(SIZE)
    transcript.toTop()
    transcript.find('note 5')
    const lines = farewellLines(transcript, { width: 30, words: EN, most: 5 })
    assert.deepEqual(dressed(lines), [
      '⟨muted: · ⟩⟨muted: note 97⟩',
      '',
      '⟨muted: · ⟩⟨muted: note 98⟩',
      '',
      '⟨muted: · ⟩⟨muted: note 99⟩',
    ])
  })

  it('says what ended with gopi: how many, and some of them by a short name', () => {
    assert.equal(endedLine([], 'gopi', EN), undefined)
    const long = `tail -f a-file-with-a-long-name.log\n\x1b[31mmore`
    assert.equal(
      endedLine(['npm run dev', long, 'explore', 'x'], 'gopi', EN),
      'Ended with gopi (4): npm run dev · tail -f a-file-with-a-long-na… · explore · …',
    )
  })
})
