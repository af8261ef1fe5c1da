import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Input, InputDecoder } from '../../src/tui/input.ts'

const ESC = '\x1b'

/** As a table says it: `ctrl+a`, `"text"`, `paste "…"`. */
function said(input: Input): string {
  if (input.type === 'paste')
    return `paste ${JSON.stringify(input.text)}${input.lost ? ` lost ${input.lost}` : ''}`
  if (input.type === 'wheel') return `wheel ${input.direction} at ${input.column},${input.row}`
  if (input.type === 'mouse') return `${input.action} at ${input.column},${input.row}`
  if (input.type === 'focus') return input.focused ? 'focus' : 'blur'
  if (input.type === 'reply') return `reply ${JSON.stringify(input.sequence).replaceAll('\\u001b', 'ESC')}`
  const held = [input.ctrl && 'ctrl+', input.alt && 'alt+', input.shift && 'shift+'].filter(Boolean)
  return held.join('') + input.name
}

/** Typed characters in one piece, since in how many they came says nothing. */
function told(inputs: Input[]): string {
  const words: string[] = []
  let typed = ''
  for (const input of [...inputs, undefined]) {
    if (input?.type === 'key' && input.text !== '') {
      typed += input.text
      continue
    }
    if (typed !== '') words.push(JSON.stringify(typed))
    typed = ''
    if (input) words.push(said(input))
  }
  return words.join(' ')
}

function decode(...pieces: (string | Uint8Array)[]): string {
  const decoder = new InputDecoder()
  const inputs = pieces.flatMap(piece => decoder.push(typeof piece === 'string' ? Buffer.from(piece) : piece))
  return told([...inputs, ...decoder.finish()])
}

const cases: [what: string, bytes: string, told: string][] = [
  ['letters', 'abc', '"abc"'],
  ['a blank', ' ', '" "'],
  ['letters of the world', 'grün 你好 😀👨‍👩‍👧', '"grün 你好 😀👨‍👩‍👧"'],
  ['enter, newline, tab', '\r\n\t', 'enter ctrl+j tab'],
  ['backspace of both kinds', '\x7f\b', 'backspace ctrl+h'],
  ['ctrl with letters', '\x01\x1a', 'ctrl+a ctrl+z'],
  ['ctrl with signs', '\0\x1c\x1d\x1e\x1f', 'ctrl+space ctrl+\\ ctrl+] ctrl+^ ctrl+_'],
  ['a lone Esc', ESC, 'escape'],
  ['two Escs', ESC + ESC, 'escape escape'],
  ['text, then Esc', `a${ESC}`, '"a" escape'],
  ['alt with letters', `${ESC}b${ESC}F`, 'alt+b alt+shift+f'],
  ['alt with another script', `${ESC}ж${ESC}😀`, 'alt+ж alt+😀'],
  ['alt with enter, backspace, ctrl', `${ESC}\r${ESC}\x7f${ESC}\x04`, 'alt+enter alt+backspace ctrl+alt+d'],
  ['alt with what starts sequences', `${ESC}]x${ESC}Px`, 'alt+] "x" alt+shift+p "x"'],
  ['alt+[ alone', `${ESC}[`, 'alt+['],
  ['alt+] alone', `${ESC}]`, 'alt+]'],
  ['alt+O alone', `${ESC}O`, 'alt+shift+o'],
  ['alt+O before a letter', `${ESC}Oz`, 'alt+shift+o "z"'],
  ['arrows', `${ESC}[A${ESC}[B${ESC}[C${ESC}[D`, 'up down right left'],
  ['arrows of the application mode', `${ESC}OA${ESC}OB`, 'up down'],
  [
    'home and end, all ways',
    `${ESC}[H${ESC}[F${ESC}[1~${ESC}[4~${ESC}[7~${ESC}[8~${ESC}OH`,
    'home end home end home end home',
  ],
  ['delete and pages', `${ESC}[3~${ESC}[5~${ESC}[6~`, 'delete pageup pagedown'],
  ['function keys', `${ESC}OP${ESC}[15~${ESC}[24~${ESC}[[A${ESC}[[E`, 'f1 f5 f12 f1 f5'],
  [
    'held modifiers',
    `${ESC}[1;5C${ESC}[1;3D${ESC}[1;2A${ESC}[3;5~`,
    'ctrl+right alt+left shift+up ctrl+delete',
  ],
  ['shift+tab', `${ESC}[Z`, 'shift+tab'],
  ['alt as rxvt and macOS send it', `${ESC}${ESC}[A${ESC}${ESC}OB`, 'alt+up alt+down'],
  ['the keypad', `${ESC}Op${ESC}Ok${ESC}OM`, '"0+" enter'],
  ['kitty: shift+enter', `${ESC}[13;2u`, 'shift+enter'],
  ['kitty: Esc', `${ESC}[27u`, 'escape'],
  ['kitty: ctrl with letters', `${ESC}[106;5u${ESC}[105;5u`, 'ctrl+j ctrl+i'],
  ['kitty: alt and shift', `${ESC}[97;4u`, 'alt+shift+a'],
  ['kitty: shifted signs', `${ESC}[45:95;6u${ESC}[45;6u`, 'ctrl+_ ctrl+shift+-'],
  ['kitty: text', `${ESC}[97;2;65u${ESC}[97;;97u${ESC}[97;2u`, '"AaA"'],
  ['kitty: shift+space types', `${ESC}[32;2u`, '" "'],
  ['kitty: releases say nothing', `${ESC}[97;1:3u${ESC}[1;1:3A${ESC}[97;1:2u`, '"a"'],
  ['kitty: modifiers alone say nothing', `${ESC}[57441;2u${ESC}[57358u`, ''],
  ['kitty: the windows key says nothing', `${ESC}[118;9u`, ''],
  ['kitty: locks change nothing', `${ESC}[97;133u${ESC}[1;129A`, 'ctrl+a up'],
  ['kitty: keypad', `${ESC}[57400u${ESC}[57414u${ESC}[57419u`, '"1" enter up'],
  ['kitty: nonsense', `${ESC}[99999999u${ESC}[55296u${ESC}[u${ESC}[0;5u`, ''],
  [
    'modifyOtherKeys',
    `${ESC}[27;2;13~${ESC}[27;5;106~${ESC}[27;6;95~${ESC}[27;6;65~`,
    'shift+enter ctrl+j ctrl+_ ctrl+shift+a',
  ],
  ['a paste', `${ESC}[200~a\tb${ESC}[201~`, 'paste "a\\tb"'],
  ['an empty paste', `${ESC}[200~${ESC}[201~`, 'paste ""'],
  ['ends of lines in a paste', `${ESC}[200~a\r\nb\rc\n\rd${ESC}[201~`, 'paste "a\\nb\\nc\\n\\nd"'],
  [
    'sequences in a paste',
    `${ESC}[200~${ESC}[A${ESC}[200~\x03${ESC}[201~`,
    'paste "\\u001b[A\\u001b[200~\\u0003"',
  ],
  ['typing before a paste', `a${ESC}[200~b${ESC}[201~`, '"a" paste "b"'],
  [
    'a paste that holds its own end',
    `${ESC}[200~a${ESC}[201~\rb\tc\n${ESC}[A${ESC}\r\x03${ESC}[13u${ESC}[201~`,
    'paste "a\\nb\\tc\\n\\n\\n"',
  ],
  [
    'a paste that holds its own end and another beginning',
    `${ESC}[200~a${ESC}[201~\r${ESC}[200~b${ESC}[201~c${ESC}[201~`,
    'paste "a\\nbc"',
  ],
  [
    'what the terminal says behind a paste',
    `${ESC}[200~a${ESC}[201~${ESC}[I${ESC}[<64;1;1M`,
    'focus paste "a"',
  ],
  ['a paste without an end', `${ESC}[200~abc${ESC}[20`, 'paste "abc\\u001b[20"'],
  ['focus', `${ESC}[I${ESC}[O`, 'focus blur'],
  [
    'the wheel',
    `${ESC}[<64;10;5M${ESC}[<65;1;1M${ESC}[<81;1;1M`,
    'wheel -1 at 9,4 wheel 1 at 0,0 wheel 1 at 0,0',
  ],
  ['the oldest mouse says nothing', `${ESC}[M !!a`, '"a"'],
  ['a key beside the mouse', `${ESC}[<1;1;1Ma${ESC}[<2;1;1m`, '"a"'],
  [
    'the left button',
    `${ESC}[<0;1;1M${ESC}[<32;3;2M${ESC}[<0;3;2m`,
    'press at 0,0 drag at 2,1 release at 2,1',
  ],
  [
    'background, ended by BEL',
    `a${ESC}]11;rgb:1e1e/1e1e/2e2e\x07b`,
    '"a" reply "ESC]11;rgb:1e1e/1e1e/2e2e" "b"',
  ],
  ['background, ended by ST', `${ESC}]11;rgb:ff/ff/ff${ESC}\\b`, 'reply "ESC]11;rgb:ff/ff/ff" "b"'],
  ['what the terminal is', `${ESC}[?62;22c${ESC}[>1;10;0c`, 'reply "ESC[?62;22c" reply "ESC[>1;10;0c"'],
  ['where the cursor is', `${ESC}[12;40R${ESC}[1;2R`, 'reply "ESC[12;40R" reply "ESC[1;2R"'],
  [
    'modes, keyboard flags, sizes',
    `${ESC}[?2026;2$y${ESC}[?1u${ESC}[8;24;80t`,
    'reply "ESC[?2026;2$y" reply "ESC[?1u" reply "ESC[8;24;80t"',
  ],
  ['a version (DCS)', `${ESC}P>|tmux 3.4${ESC}\\x`, 'reply "ESCP>|tmux 3.4" "x"'],
  ['graphics (APC)', `${ESC}_Gi=1;OK${ESC}\\x`, 'reply "ESC_Gi=1;OK" "x"'],
  [
    'an answer right behind an Esc',
    `${ESC}${ESC}[I${ESC}${ESC}]11;rgb:0/0/0\x07`,
    'escape focus escape reply "ESC]11;rgb:0/0/0"',
  ],
  ['an answer that never ends', `${ESC}]11;rgb:00`, ''],
  ['an answer broken off by ctrl+c', `${ESC}]11;rgb\x03a`, 'ctrl+c "a"'],
  ['an answer broken off by a key', `${ESC}]11;rgb${ESC}[Aa`, 'up "a"'],
  ['a sequence that never ends', `${ESC}[1;5`, ''],
  ['a sequence broken off', `${ESC}[1;\x03${ESC}[1${ESC}[B`, 'ctrl+c down'],
  [
    'unknown sequences',
    `${ESC}[99~${ESC}[1;2y${ESC}[=5qa`,
    'reply "ESC[99~" reply "ESC[1;2y" reply "ESC[=5q" "a"',
  ],
  ['control characters of eight bits', 'a\x9b\x85b', '"ab"'],
]

describe('what comes from the terminal', () => {
  for (const [what, bytes, expected] of cases) {
    it(`is understood: ${what}`, () => assert.equal(decode(bytes), expected))
  }

  it('is the same wherever it is cut, in two and byte by byte', () => {
    for (const [what, text, expected] of cases) {
      const bytes = Buffer.from(text)
      for (let cut = 1; cut < bytes.length; cut++) {
        assert.equal(decode(bytes.subarray(0, cut), bytes.subarray(cut)), expected, `${what}, cut at ${cut}`)
      }
      assert.equal(
        decode(...Array.from(bytes, byte => Uint8Array.of(byte))),
        expected,
        `${what}, byte by byte`,
      )
    }
  })

  it('is the same in pairs, so that nothing of one is taken for the other', () => {
    for (const [first, before] of cases) {
      const decoder = new InputDecoder()
      const inputs = decoder.push(Buffer.from(before))
      if (decoder.wait !== undefined) continue
      for (const [second, after] of cases) {
        const alone = new InputDecoder()
        const expected = told([...inputs, ...alone.push(Buffer.from(after)), ...alone.finish()])
        assert.equal(decode(before + after), expected, `${first}, then ${second}`)
      }
    }
  })

  it('names what was typed alone, and not what came in a run', () => {
    const decoder = new InputDecoder()
    const names = ['?', 'A', ' ', '好', 'ab'].map(text => {
      const [input] = decoder.push(Buffer.from(text))
      return input?.type === 'key' ? `${input.name}${input.shift ? ' shift' : ''}` : input
    })
    assert.deepEqual(names, ['?', 'a shift', 'space', '好', ''])
  })

  it('says how long it waits', () => {
    const waits: [bytes: string, ms: number | undefined][] = [
      ['a', undefined],
      [ESC, 25],
      [`${ESC}[`, 25],
      [`${ESC}]`, 100],
      [`${ESC}]1`, 1000],
      [`${ESC}[1`, 1000],
      [`${ESC}[200~abc`, 1000],
      [`${ESC}[200~abc${ESC}[201~`, 50],
    ]
    for (const [bytes, ms] of waits) {
      const decoder = new InputDecoder()
      decoder.push(Buffer.from(bytes))
      assert.equal(decoder.wait, ms, JSON.stringify(bytes))
      decoder.finish()
      assert.equal(decoder.wait, undefined)
      assert.equal(told(decoder.push(Buffer.from('x'))), '"x"', 'it goes on as if nothing had been')
    }
  })

  it('counts what a paste has beyond its limit', () => {
    const limit = 4 * 1024 * 1024
    const decoder = new InputDecoder()
    const pieces = [`${ESC}[200~${'x'.repeat(limit)}`, 'yy', `y${ESC}[201~`]
    const inputs = pieces.flatMap(piece => decoder.push(Buffer.from(piece)))
    const [paste] = [...inputs, ...decoder.finish()]
    assert.ok(paste?.type === 'paste' && paste.text.length === limit)
    assert.equal(paste.lost, 3)
  })

  it('takes what comes after a pause for typing again', () => {
    const decoder = new InputDecoder()
    decoder.push(Buffer.from(`${ESC}[200~a${ESC}[201~`))
    assert.equal(told(decoder.finish()), 'paste "a"')
    assert.equal(told(decoder.push(Buffer.from('b\r'))), '"b" enter')
  })
})
