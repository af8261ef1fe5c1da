import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMANDS } from '../../../src/cli/options.ts'
import { THEMES as CONFIGURABLE } from '../../../src/config/config.ts'
import { graphemeWidth } from '../../../src/text/width.ts'
import {
  ADDED,
  BOLD,
  ITALIC,
  type Line,
  REMOVED,
  STRIKE,
  type Style,
  UNDERLINE,
} from '../../../src/tui/line.ts'
import { attributeOf } from '../../../src/tui/window/attributes.ts'
import { drawable, isRisky, NO_JOINS } from '../../../src/tui/window/glyph.ts'
import { opensScreen } from '../../../src/tui/window/opens-screen.ts'
import { createPalette, type Depth, depthOf } from '../../../src/tui/window/palette.ts'
import { createProbe } from '../../../src/tui/window/probe.ts'
import { findShift } from '../../../src/tui/window/shift.ts'
import { paintsOf, type Rgb, THEMES, type ThemeName } from '../../../src/tui/window/theme.ts'

test('how many colours there are stands in the environment', () => {
  const rows: [NodeJS.ProcessEnv, Depth][] = [
    [{ TERM: 'xterm-256color' }, '256'],
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 'full'],
    [{ TERM: 'xterm', COLORTERM: '24bit' }, 'full'],
    [{ TERM: 'xterm-kitty' }, 'full'],
    [{ TERM: 'tmux-256color' }, '256'],
    [{ TERM: 'linux' }, '16'],
    [{ TERM: 'something' }, '16'],
    [{}, '16'],
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '1' }, 'none'],
    [{ TERM: 'xterm-256color', NO_COLOR: '' }, '256'],
  ]
  for (const [env, depth] of rows) assert.equal(depthOf(env), depth, JSON.stringify(env))
})

test('marks come on top of a style, and colours of any depth are sequences that it understands', () => {
  const paints = paintsOf('dark', { background: [0, 0, 0], hasShades: true, env: {} })
  const rows: [depth: Depth, style: Style, marks: number, codes: string][] = [
    ['16', 'plain', 0, ''],
    ['16', 'plain', BOLD + ITALIC + UNDERLINE + STRIKE, '1;3;4;9'],
    ['16', 'heading', BOLD, '1;36'],
    ['16', 'link', BOLD, '1;4;94'],
    ['none', 'heading', ITALIC, '1;3'],
    ['none', 'danger', 0, ''],
    ['256', 'selected', 0, '1;48;5;23'],
    ['full', 'selected', 0, '1;48;2;21;55;97'],
    ['256', 'added', 0, '32;48;5;16'],
    ['256', 'keyword', ADDED, '35;48;5;16'],
    ['256', 'plain', REMOVED + BOLD, '1;48;5;16'],
  ]
  for (const [depth, style, marks, codes] of rows) {
    assert.equal(createPalette(paints, depth).codes(attributeOf(style, marks)), codes, `${depth} ${style}`)
  }
})

test('on a light background every colour of ours can be read, and what is marked differs from the band', () => {
  const channel = (value: number) => (value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  const light = ([red, green, blue]: Rgb) =>
    0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue)
  const contrast = (one: Rgb, other: Rgb) => {
    const [dark = 0, bright = 0] = [light(one), light(other)].sort((a, b) => a - b)
    return (bright + 0.05) / (dark + 0.05)
  }
  const white: Rgb = [255, 255, 255]
  const paints = paintsOf('light', { background: white, hasShades: true, env: {} })
  for (const style of ['warning', 'success', 'added', 'string', 'type'] as const) {
    const { color, background = white } = paints[style]
    assert.ok(Array.isArray(color) && Array.isArray(background), style)
    const came = contrast(color as Rgb, background as Rgb)
    assert.ok(came >= 4.5, `${style} ${came}`)
  }
  assert.equal(paints.ink3.color, 3)
  for (const background of [white, [0, 0, 0], [30, 30, 30]] satisfies Rgb[]) {
    const { own, selected } = paintsOf('system', { background, hasShades: true, env: {} })
    const [band, mark] = [own.background, selected.background] as [Rgb, Rgb]
    const apart = Math.max(...band.map((value, index) => Math.abs(value - (mark[index] ?? 0))))
    assert.ok(apart >= 48, `${background}: ${band} and ${mark}`)
  }
})

test('without a ground of its own a changed line has one colour', () => {
  const paints = paintsOf('dark', { background: undefined, hasShades: false, env: {} })
  assert.equal(createPalette(paints, '16').codes(attributeOf('keyword', ADDED)), '32')
  assert.equal(createPalette(paints, '16').codes(attributeOf('addedWord')), '7;32')
})

test('a theme is the sixteen colours until a background that fits it is known', () => {
  const [black, white]: Rgb[] = [
    [0, 0, 0],
    [255, 255, 255],
  ]
  const isShaded = (theme: ThemeName, background: Rgb | undefined, hasShades = true, env = {}) => {
    const paints = paintsOf(theme, { background, hasShades, env })
    return [
      typeof paints.accent.color === 'number' && paints.accent.color,
      paints.added.background !== undefined,
    ]
  }
  const [cyan, blue] = [6, 4]
  assert.deepEqual(isShaded('dark', undefined), [cyan, false])
  assert.deepEqual(isShaded('dark', black), [cyan, true])
  assert.deepEqual(isShaded('dark', black, false), [cyan, false])
  assert.deepEqual(isShaded('dark', white), [cyan, false])
  assert.deepEqual(isShaded('light', white), [blue, true])
  assert.deepEqual(isShaded('light', black), [blue, false])
  assert.deepEqual(isShaded('system', undefined), [cyan, false])
  assert.deepEqual(isShaded('system', undefined, true, { COLORFGBG: '0;15' }), [blue, false])
  assert.deepEqual(isShaded('system', black, true, { COLORFGBG: '0;15' }), [cyan, true])
  assert.deepEqual(isShaded('system', white), [blue, true])
  assert.deepEqual(THEMES, CONFIGURABLE)
})

test('a blank cell shows a background, a line through or under it, and nothing else', () => {
  const palette = createPalette(paintsOf('dark', { hasShades: false, env: {} }), '16')
  const inkless = (style: Style, marks = 0) => palette.isInkless(attributeOf(style, marks))
  assert.deepEqual(
    [inkless('plain'), inkless('danger'), inkless('plain', BOLD), inkless('muted', ITALIC)],
    [true, true, true, true],
  )
  assert.deepEqual(
    [
      inkless('match'),
      inkless('selected'),
      inkless('link'),
      inkless('plain', UNDERLINE),
      inkless('plain', STRIKE),
    ],
    [false, false, false, false, false],
  )
})

test('emoji are sent as the terminal can draw them', () => {
  const all = { sequences: true, tones: true, flags: true }
  const rows: [grapheme: string, risky: boolean, sent: string][] = [
    ['a', false, 'a'],
    ['é', false, 'é'],
    ['e\u0301', false, 'e\u0301'],
    ['日', false, '日'],
    ['한', false, '한'],
    ['→', false, '→'],
    ['✓', false, '✓'],
    ['😀', true, '😀'],
    ['⌚', true, '⌚'],
    ['❤️', true, '❤️'],
    ['1️⃣', true, '1️⃣'],
    ['\ue0b0', true, '\ue0b0'],
    ['👍🏽', true, '👍'],
    ['🏽', true, '🏽'],
    ['👨‍👩‍👧', true, '👨'],
    ['👩🏽‍🔬', true, '👩'],
    ['🇯🇵', true, 'JP'],
  ]
  for (const [grapheme, risky, sent] of rows) {
    assert.equal(isRisky(grapheme, graphemeWidth(grapheme)), risky, grapheme)
    assert.equal(drawable(grapheme, NO_JOINS), sent)
    assert.equal(drawable(grapheme, all), grapheme)
  }
})

test('a shift is found by what the rows say, where it spares writing', () => {
  const lines = (text: string): Line[] =>
    Array.from(text, letter => (letter === ' ' ? [] : [{ text: letter, style: 'plain' }]))
  const rows: [before: string, after: string, shift: number][] = [
    ['abcdef', 'bcdefg', 1],
    ['abcdef', 'abcdef', 0],
    ['abcdef', 'abcdeg', 0],
    ['abcdef', 'zabcde', -1],
    ['abcdef', 'defxyz', 3],
    ['abcdef', 'efuvwx', 4],
    ['abcdef', 'fuvwxy', 0],
    ['abcdef', 'uvwxyz', 0],
    ['aaaaaa', 'aaaaab', 0],
    ['abc   ', 'abcd  ', 0],
    ['      ', 'a     ', 0],
    ['ab', 'bc', 0],
  ]
  for (const [before, after, shift] of rows) {
    assert.equal(findShift(lines(before), lines(after), { top: 0, bottom: before.length }), shift, after)
  }
  const [before, after] = [lines('xabcdy'), lines('xbcdey')]
  assert.equal(findShift(before, after, { top: 1, bottom: 5 }), 1)
  assert.equal(findShift([], after, { top: 1, bottom: 5 }), 0)
  // What comes from below the region does not count.
  assert.equal(findShift(lines('abcdefg'), lines('xefgyuv'), { top: 0, bottom: 5 }), 0)
})

test('the answers of a terminal are read in the order of the questions, whatever is missing', () => {
  const rows: [replies: string[], background: Rgb | undefined, joins: boolean[]][] = [
    [['\x1b[?1;2c'], undefined, [false, false, false]],
    [
      ['\x1b]11;rgb:0000/8080/ffff', '\x1b[2;3R', '\x1b[2;5R', '\x1b[2;3R', '\x1b[?62c'],
      [0, 128, 255],
      [true, false, true],
    ],
    [['\x1b[2;9R', '\x1b[2;3R', '\x1b[?62;4;22c'], undefined, [false, true, false]],
    [
      ['\x1b]11;rgba:1e/1e/1e/ff', '\x1b[?0c'],
      [30, 30, 30],
      [false, false, false],
    ],
    [['\x1b]10;rgb:ffff/ffff/ffff', '\x1b]11;nonsense', '\x1b[?1c'], undefined, [false, false, false]],
  ]
  for (const [replies, background, joins] of rows) {
    const probe = createProbe(80, 24)
    const last = replies.pop()
    for (const reply of replies) assert.equal(probe.take(reply), undefined)
    const answers = probe.take(last ?? '')
    assert.deepEqual(answers?.background, background)
    assert.deepEqual(Object.values(answers?.joins ?? {}), joins)
  }
  for (const [columns, rows] of [
    [1, 1],
    [80, 1],
    [5, 24],
  ] as const) {
    assert.doesNotMatch(createProbe(columns, rows).question, /6n/)
  }
})

test('the first paint comes only where the full screen opens for certain', () => {
  const screen = { TERM: 'xterm-256color' }
  for (const argv of [
    [],
    ['-c'],
    ['--demo'],
    ['-m', 'qwen3:8b', 'fix', 'it'],
    ['--mode=plan'],
    ['-r'],
    ['--no-session'],
  ]) {
    assert.equal(opensScreen(argv, screen), true, argv.join(' '))
    assert.equal(opensScreen(argv, { TERM: 'dumb' }), false)
    assert.equal(opensScreen(argv, {}), false)
  }
  const elsewhere = ['-p', '-cp', '--plain', '--help', '-h', '--version', ...Object.keys(COMMANDS)]
  for (const word of elsewhere) assert.equal(opensScreen(['--debug', word], screen), false, word)
})
