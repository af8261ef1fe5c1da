import assert from 'node:assert/strict'
import { test } from 'node:test'
import xterm from '@xterm/headless'
import { createSanitizer, escapeJson, reveal, sanitize } from '../../src/text/sanitize.ts'

/** GOPI_FUZZ=1000000 is the whole of it; the tests of every day are a part. */
const strings = Number(process.env.GOPI_FUZZ ?? 50_000)
/** Strings that the emulator is given at once. */
const batch = 500

const nasty = [
  ...[
    '\x1b',
    '\x1b[',
    '\x1b]',
    '\x1bP',
    '\x1b_',
    '\x1b^',
    '\x1bX',
    '\x1bc',
    '\x1b(0',
    '\x1b#8',
    '\x1b\\',
    '\x1b\x1b',
  ],
  ...[
    '\x9b',
    '\x9d',
    '\x90',
    '\x98',
    '\x9e',
    '\x9f',
    '\x9c',
    '\x85',
    '\x84',
    '\x8d',
    '\x1b[?1049h',
    '\x1b[2J',
  ],
  ...[
    '\x07',
    '\x08',
    '\x00',
    '\x0b',
    '\x0c',
    '\x0e',
    '\x0f',
    '\x7f',
    '\r',
    '\n',
    '\r\n',
    '\t',
    '\x1a',
    '\x18',
  ],
  ...[
    '31m',
    '6n',
    '2J',
    '10A',
    '?25l',
    '0;title\x07',
    '52;c;ZXZpbA==',
    '8;;http://x',
    ';',
    ':',
    '1',
    'm',
    'h',
    ' q',
    '>c',
  ],
  ...[
    '\ud83d',
    '\ude00',
    '\u{1f600}',
    '\u202e',
    '\u2066',
    '\u200b',
    '\u200d',
    '\u200c',
    '\ufe0f',
    '\ufeff',
    '\u{e0041}',
  ],
  ...[
    '\u2028',
    '\u2029',
    '\u061c',
    '\u180e',
    '\u{e0100}',
    '\ufff9',
    '\u034f',
    '\u115f',
    'é',
    '你',
    '#',
    '❤',
    'é',
  ],
  ...[
    '&#27;',
    '&#x1b;',
    '&ESC;',
    '{red-fg}',
    '{escape}',
    '\\x1b[2J',
    '<b>',
    'abc',
    'rm -rf ~',
    ' ',
    'word word',
    '```',
    '[',
    ']',
  ],
]

let seed = 20_261_121
function random(below: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 4_294_967_296) * below)
}

const nastyString = (): string =>
  Array.from({ length: 1 + random(12) }, () => nasty[random(nasty.length)] ?? '').join('')

/** Judged without the patterns of the sanitiser: what a terminal or an eye could be deceived with. */
function leakIn(text: string): string | undefined {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const isControl = (unit < 0x20 && unit !== 0x0a && unit !== 0x09) || (unit >= 0x7f && unit <= 0x9f)
    const isPair = unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
    const isLone = unit >= 0xd800 && unit <= 0xdfff && !isPair
    const isBidi = (unit >= 0x202a && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069) || unit === 0x061c
    const isHidden = [
      0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x2060, 0xfeff, 0x180e, 0x034f, 0x115f,
    ].includes(unit)
    const isTag = unit === 0xdb40
    if (isControl || isLone || isBidi || isHidden || isTag) return `U+${unit.toString(16)} at ${at}`
    if (isPair) at++
  }
  return undefined
}

function inPieces(text: string): string {
  const gate = createSanitizer()
  let shown = ''
  for (let at = 0; at < text.length; ) {
    const next = at + 1 + random(4)
    shown += gate.push(text.slice(at, next))
    at = next
  }
  return shown + gate.finish()
}

test(`${strings} strings of nasty pieces: nothing leaks, whole or in pieces, and the emulator agrees`, async () => {
  const terminal = new xterm.Terminal({ cols: 200, rows: 10, allowProposedApi: true })
  const acted: string[] = []
  terminal.onData(data => acted.push(`answered ${JSON.stringify(data)}`))
  terminal.onTitleChange(title => acted.push(`title ${title}`))
  terminal.onBell(() => acted.push('bell'))
  const modes = JSON.stringify(terminal.modes)
  let shown = ''
  for (let n = 1; n <= strings; n++) {
    const text = nastyString()
    const whole = sanitize(text)
    const leak = leakIn(whole) ?? leakIn(reveal(text)) ?? leakIn(escapeJson(JSON.stringify(text)))
    assert.equal(leak, undefined, JSON.stringify(text))
    assert.equal(inPieces(text), whole, JSON.stringify(text))
    shown += `${whole}\n`
    if (n % batch !== 0) continue
    // The mark must stand where it was written, as plain as it was written.
    await new Promise<void>(resolve => terminal.write(`${shown.replaceAll('\n', '\r\n')}mark`, resolve))
    const buffer = terminal.buffer.active
    const line = buffer.getLine(buffer.baseY + buffer.cursorY)
    assert.deepEqual(
      [line?.translateToString(true), buffer.cursorX, buffer.type, JSON.stringify(terminal.modes), acted],
      ['mark', 4, 'normal', modes, []],
    )
    const cell = line?.getCell(0)
    assert.ok(cell?.isAttributeDefault() && !cell.isInvisible())
    await new Promise<void>(resolve => terminal.write('\r\n', resolve))
    shown = ''
  }
  terminal.dispose()
})

test('JSON for a terminal means the same as before', () => {
  for (let n = 0; n < 2_000; n++) {
    const value = { text: nastyString(), [nastyString()]: [nastyString()] }
    assert.deepEqual(JSON.parse(escapeJson(JSON.stringify(value))), JSON.parse(JSON.stringify(value)))
  }
})
