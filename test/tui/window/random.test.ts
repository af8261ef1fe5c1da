import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayWidth, graphemes } from '../../../src/text/width.ts'
import { BOLD, type Line, type Style, UNDERLINE } from '../../../src/tui/line.ts'
import type { Frame } from '../../../src/tui/window/window.ts'
import { openScreen, type Screen } from './screen.ts'

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** All of these are as wide to the emulator as they are to gopi. */
const WORDS = [
  'a',
  'the',
  'session',
  '日本語',
  '한국어',
  '漢字',
  'café',
  'e\u0301te\u0301',
  '😀',
  '🚀🚀',
  '→',
  '⌚',
  '}',
  '  ',
]
/** Of these it draws fewer columns, or, whole, more. */
const ODD = ['❤️', '⚠️ x', '👨‍👩‍👧', '👍🏽', '🇯🇵🇺🇸', '1️⃣', 'नमस्ते', 'ก็ดี', '\ue0b0', '☎']
const STYLES: Style[] = ['plain', 'plain', 'plain', 'muted', 'code', 'match', 'selected', 'heading']

interface Story {
  screen: Screen
  random: () => number
  frames: Frame[]
}

const below = (story: Story, limit: number) => Math.floor(story.random() * limit)
const one = <T>(story: Story, of: readonly T[]): T => of[below(story, of.length)] as T

/** What a transcript and an editor do: lines grow at the end, move up, are replaced; a popup comes and goes. */
function tell(seed: number, { words, steps }: { words: readonly string[]; steps: number }) {
  const random = numbers(seed)
  const screen = openScreen({ columns: 20 + Math.floor(random() * 60), rows: 5 + Math.floor(random() * 20) })
  const story: Story = { screen, random, frames: [] }
  const history: Line[] = [[]]
  let popup: Frame['popup']
  let aside: Frame['aside']
  let scrolled = 0
  for (let step = 0; step < steps; step++) {
    const { columns, rows } = screen.window
    const action = random()
    if (action < 0.6) grow(story, history, words)
    else if (action < 0.7) scrolled = below(story, 3) * below(story, rows)
    else if (action < 0.75) history.splice(below(story, history.length), 1, [])
    else if (action < 0.8) screen.resize(1 + below(story, 90), 1 + below(story, 30))
    else if (action < 0.85) popup = popup ? undefined : popupOf(story, words)
    else if (action < 0.9) aside = aside ? undefined : asideOf(story, words)
    const bottom = Math.max(0, rows - 3)
    const end = Math.max(0, history.length - scrolled)
    const seen = history.slice(Math.max(0, end - bottom), end)
    const filled = [...seen, ...new Array<Line>(bottom - Math.min(bottom, seen.length)).fill([])]
    const typed = one(story, words)
    const frame: Frame = {
      rows: [
        ...filled,
        [{ text: '─'.repeat(columns), style: 'muted' }],
        [{ text: `› ${typed}`, style: 'plain' }],
      ],
      scrolls: { top: 0, bottom },
      ...(random() < 0.9 && { cursor: { row: bottom + 1, column: 2 + displayWidth(typed) } }),
      ...(popup && { popup }),
      ...(aside && { aside: { ...aside, lines: aside.lines.slice(0, bottom) } }),
    }
    screen.window.draw(frame)
    story.frames.push(frame)
  }
  return story
}

function grow(story: Story, history: Line[], words: readonly string[]): void {
  const more = {
    text: one(story, words),
    style: one(story, STYLES),
    marks: one(story, [0, 0, BOLD, UNDERLINE]),
  }
  const last = history.at(-1) ?? []
  if (story.random() < 0.3) history.push([more])
  else history[history.length - 1] = [...last, more]
}

function popupOf(story: Story, words: readonly string[]): NonNullable<Frame['popup']> {
  return {
    top: below(story, 8) - 2,
    left: below(story, 30) - 2,
    width: 2 + below(story, 30),
    height: 2 + below(story, 6),
    lines: [[{ text: words.join(''), style: 'plain' }]],
    title: one(story, words),
    frame: one(story, ['plain', 'danger']),
  }
}

function asideOf(story: Story, words: readonly string[]): NonNullable<Frame['aside']> {
  const line = (): Line => [{ text: ` │ ${one(story, words)}`, style: one(story, STYLES) }]
  return { column: 5 + below(story, 30), lines: Array.from({ length: below(story, 20) }, line) }
}

/** Everything that is seen, cell by cell: the grapheme and what it looks like. A blank one shows no colour of text. */
async function seen({ terminal, text }: Screen): Promise<string[][]> {
  await text()
  return Array.from({ length: terminal.rows }, (_, row) => {
    const line = terminal.buffer.active.getLine(row)
    return Array.from({ length: terminal.cols }, (_, column) => {
      const cell = line?.getCell(column)
      if (!cell || cell.getWidth() === 0) return ''
      const drawn = cell.getChars() || ' '
      const behind = [cell.getBgColor(), cell.isInverse(), cell.isUnderline()].join()
      return drawn === ' '
        ? behind
        : `${drawn} ${cell.getFgColor()},${cell.isBold()},${cell.isDim()},${behind}`
    })
  })
}

for (const seed of Array.from({ length: 24 }, (_, number) => number + 1)) {
  test(`what was drawn piece by piece is what is drawn at once: story ${seed}`, async () => {
    const story = tell(seed, { words: seed % 2 ? WORDS : [...WORDS, ...ODD], steps: 200 })
    const { columns, rows } = story.screen.window
    const whole = openScreen({ columns, rows })
    const last = story.frames.at(-1)
    assert.ok(last)
    whole.window.draw(last)
    assert.deepEqual(await seen(story.screen), await seen(whole))
    if (last.cursor && last.cursor.row < rows) assert.equal(await story.screen.cursor(), await whole.cursor())
    if (!last.popup && !last.aside && seed % 2)
      assert.deepEqual(await story.screen.text(), plainRows(last, { columns, rows }))
    story.screen.window.close()
    whole.window.close()
  })
}

/** The rows as a person would write them down. */
function plainRows({ rows: lines }: Frame, { columns, rows }: { columns: number; rows: number }): string[] {
  return Array.from({ length: rows }, (_, row) => {
    let text = ''
    let width = 0
    for (const grapheme of graphemes((lines[row] ?? []).map(span => span.text).join(''))) {
      width += displayWidth(grapheme)
      if (width > columns) break
      text += grapheme
    }
    return text.trimEnd()
  })
}
