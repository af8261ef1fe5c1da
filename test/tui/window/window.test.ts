import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Input } from '../../../src/tui/input.ts'
import type { Line, Style } from '../../../src/tui/line.ts'
import type { Frame } from '../../../src/tui/window/window.ts'
import { openScreen } from './screen.ts'

const line = (text: string, style: Style = 'plain'): Line => [{ text, style }]

/** A transcript of `lines` over a rule and a prompt, as high as the screen. */
function chat(lines: readonly Line[], { columns, rows }: { columns: number; rows: number }): Frame {
  const height = Math.max(0, rows - 2)
  const shown = lines.slice(Math.max(0, lines.length - height))
  const blank = new Array<Line>(height - shown.length).fill([])
  return {
    rows: [...shown, ...blank, line('─'.repeat(columns), 'muted'), line('› ')],
    scrolls: { top: 0, bottom: height },
    cursor: { row: rows - 1, column: 2 },
  }
}

test('a frame is on the screen after one write, with the cursor where an input method draws', async () => {
  const { window, writes, text, cursor } = openScreen({ columns: 20, rows: 4 })
  const before = writes.length
  window.draw({
    rows: [line('日本語 and more than fits'), [], line('› ok')],
    cursor: { row: 2, column: 4 },
  })
  assert.deepEqual(await text(), ['日本語 and more than', '', '› ok', ''])
  assert.equal(await cursor(), '2;4')
  // The second one asks the terminal what it is.
  assert.equal(writes.length, before + 2)
  assert.match(writes[before] ?? '', /^\x1b\[\?2026h[\s\S]*\x1b\[\?25h\x1b\[\?2026l$/)
  window.close()
})

test('nothing is written for an equal frame, and only the cursor for one that differs in it', () => {
  const { window, writes } = openScreen()
  const frame = (column: number): Frame => ({ rows: [line('same')], cursor: { row: 1, column } })
  window.draw(frame(1))
  const before = writes.length
  window.draw(frame(1))
  assert.equal(writes.length, before)
  window.draw(frame(2))
  assert.deepEqual(writes.slice(before), ['\x1b[2;3H\x1b7'])
  window.draw({ rows: [line('same')] })
  window.draw({ rows: [line('same')] })
  assert.deepEqual(writes.slice(before + 1), ['\x1b[?25l'])
  window.close()
})

test('a reply of 2,000 characters costs at most 4,000 bytes with three deltas a frame, and 20 a delta with one', () => {
  const size = { columns: 100, rows: 30 }
  const words = 'The quick brown fox jumps over the lazy dog and reads what stands in the file. '
  const reply = words.repeat(26).slice(0, 2000)
  const rowsOf = (text: string) => (text.match(/.{1,100}/g) ?? []).map(row => line(row))
  const history = Array.from({ length: 40 }, (_, number) => line(`line ${number} of the history`))
  for (const [perFrame, most] of [
    [3, 4_000],
    [1, 8_000],
  ] as const) {
    const { window, writes } = openScreen(size)
    window.draw(chat(history, size))
    const before = writes.length
    const step = perFrame * 5
    for (let end = step; end <= reply.length; end += step) {
      window.draw(chat([...history, ...rowsOf(reply.slice(0, end))], size))
    }
    const bytes = Buffer.byteLength(writes.slice(before).join(''))
    assert.ok(bytes > reply.length - step && bytes <= most, `${bytes} bytes`)
    window.close()
  }
})

test('rows that move are moved by the terminal, a page of them as cheaply as one', async () => {
  const size = { columns: 80, rows: 24 }
  const history = Array.from({ length: 60 }, (_, number) => line(`${number} ${'text '.repeat(12)}`))
  const { window, writes, text } = openScreen(size)
  window.draw(chat(history.slice(0, 40), size))
  const before = writes.length
  window.draw(chat(history.slice(0, 50), size))
  window.draw(chat(history.slice(0, 43), size))
  const sent = writes.slice(before)
  assert.match(sent[0] ?? '', /\x1b\[H\x1b\[10M/)
  assert.match(sent[1] ?? '', /\x1b\[H\x1b\[7L/)
  assert.ok((sent[0] ?? '').length < 10 * 70 + 100)
  assert.deepEqual(
    (await text()).slice(0, 2).map(row => row.slice(0, 2)),
    ['21', '22'],
  )
  window.close()
})

test('a line that comes in again at the other end is drawn there', async () => {
  const { window, text } = openScreen({ columns: 10, rows: 5 })
  const [first, ...others] = ['one', 'two', 'three', 'four', 'five'].map(word => line(word))
  const scrolls = { top: 0, bottom: 5 }
  window.draw({ rows: [first ?? [], ...others], scrolls })
  window.draw({ rows: [...others, first ?? []], scrolls })
  assert.deepEqual(await text(), ['two', 'three', 'four', 'five', 'one'])
  window.close()
})

test('a popup keeps its border whatever stands in it and behind it, and nothing is moved while it is there', async () => {
  const { window, text, writes } = openScreen({ columns: 14, rows: 5 })
  const behind = ['漢字漢字漢字漢', ' 漢字漢字漢字', '漢字漢字漢字漢', ' 漢字漢字漢字', 'end'].map(row =>
    line(row),
  )
  const scrolls = { top: 0, bottom: 5 }
  window.draw({ rows: behind, scrolls })
  const popup = {
    ...{ top: 1, left: 3, width: 8, height: 3, frame: 'plain' as const },
    lines: [line('a漢字漢字')],
    title: 'テストテスト',
  }
  const before = writes.length
  const covered = { rows: [...behind.slice(1), line('more')], scrolls, popup }
  window.draw(covered)
  assert.doesNotMatch(writes.slice(before).join(''), /\x1b\[\d*[ML]/)
  assert.deepEqual(await text(), [' 漢字漢字漢字', '漢 ┌─ … ──┐ 漢', ' 漢│a漢字 │字', 'end└──────┘', 'more'])
  const atOnce = openScreen({ columns: 14, rows: 5 })
  atOnce.window.draw(covered)
  assert.deepEqual(await atOnce.text(), await text())
  // No border is taken for a wide character whose other half it covers.
  assert.doesNotMatch(atOnce.writes.join(''), /G┐/)
  atOnce.window.close()
  window.draw({ rows: behind, scrolls })
  assert.deepEqual(await text(), [
    '漢字漢字漢字漢',
    ' 漢字漢字漢字',
    '漢字漢字漢字漢',
    ' 漢字漢字漢字',
    'end',
  ])
  window.close()
})

test('what stands behind an emoji is written with it, for it may have been covered', () => {
  const { window, writes } = openScreen()
  window.draw({ rows: [line('❤️x and more')] })
  window.draw({ rows: [line('☎️x and more')] })
  assert.match(writes.at(-1) ?? '', /☎️\x1b\[3Gx$/)
  window.close()
})

test('no control character and no invisible one reaches the terminal from a line, a title or the farewell', async () => {
  const bad =
    'a\x1b]52;c;aGk=\x07b\x9b2Jc\x1b[2Jd\re\nf\x00g\x7fh\u202ei\u200bj\u009d0;x\u009ck\x1bPq\x1b\\l\u{e0041}m'
  const harmless = 'a]52;c;aGk=b2Jc[2Jdefghij0;xkPq\\lm'
  const { window, writes, text } = openScreen({
    columns: 60,
    rows: 8,
    farewell: () => [line(bad)],
  })
  const before = writes.length
  window.draw({
    rows: [line(bad)],
    popup: { top: 2, left: 0, width: 50, height: 3, lines: [line(bad)], title: bad, frame: 'plain' },
  })
  const shown = await text()
  assert.equal(shown[0], harmless)
  assert.match(shown[2] ?? '', /a\]52;c;aGk=b2Jc/)
  assert.equal(shown[3]?.replaceAll('│', '').trim(), harmless)
  window.close()
  const own = /\x1b(\[[?><]?[\d;]*[A-Za-z]|[78]|\]11;\?\x1b\\)/g
  const foreign = writes.slice(before).join('').replaceAll(own, '').replaceAll('\r\n', '')
  assert.doesNotMatch(foreign, /[\x00-\x1f\x7f-\x9f\u202e\u200b]/)
})

test('styles and marks become what the theme says, in as many colours as there are', () => {
  const rows: [env: NodeJS.ProcessEnv, sent: RegExp][] = [
    [{ TERM: 'xterm-256color' }, /\x1b\[31mno \x1b\[0;1mgo \x1b\[0;30;43mhit/],
    [{ TERM: 'xterm', NO_COLOR: '' }, /\x1b\[31mno/],
    [{ TERM: 'xterm', NO_COLOR: '1' }, /no \x1b\[1mgo \x1b\[mhit/],
    [{ TERM: 'xterm-256color', NO_COLOR: '0' }, /no \x1b\[1mgo \x1b\[mhit/],
  ]
  for (const [env, sent] of rows) {
    const { window, writes } = openScreen({ env })
    const span = (text: string, style: Style) => ({ text, style })
    const blank = span(' ', 'plain')
    window.draw({
      rows: [[span('no', 'danger'), blank, span('go', 'strong'), blank, span('hit', 'match')]],
    })
    assert.match(writes.join(''), sent)
    window.close()
  }
})

test('another theme draws the screen again; shades wait for what the terminal answers', async () => {
  const dark = openScreen({ env: { TERM: 'xterm', COLORTERM: 'truecolor' } })
  dark.window.draw({ rows: [line('accent', 'accent'), line('-removed', 'removed')] })
  assert.match(dark.writes.join(''), /\x1b\[36maccent/)
  dark.window.setTheme('light')
  assert.match(dark.writes.at(-1) ?? '', /\x1b\[34maccent/)
  assert.equal(dark.window.theme, 'light')
  dark.window.setTheme('system')
  assert.match(dark.writes.at(-1) ?? '', /\x1b\[36maccent/)
  dark.input.write('\x1b]11;rgb:ffff/fafa/f0f0\x1b\\\x1b[?62;4c')
  await turn()
  assert.match(dark.writes.at(-1) ?? '', /\x1b\[34maccent/)
  assert.match(dark.writes.at(-1) ?? '', /\x1b\[0;31;48;2;\d+;\d+;\d+m-removed/)
  assert.deepEqual(dark.inputs, [])
  dark.window.close()
})

test('answers of the terminal decide what is drawn of emoji, and never reach the app', async () => {
  const { window, writes, inputs, text } = openScreen({ answers: true })
  window.draw({ rows: [line('👨‍👩‍👧 🇯🇵 👍🏽 end')], cursor: { row: 2, column: 0 } })
  assert.match(writes.join(''), /G👨\x1b[\s\S]*GJP\x1b[\s\S]*G👍\x1b/)
  await text()
  await turn()
  // The emulator draws a flag as one, but not the others.
  assert.equal((await text())[0], '👨 🇯🇵 👍 end')
  assert.deepEqual(inputs, [])
  window.close()
})

test('every mode that is switched on is switched off, the last first, also after the mouse was switched', () => {
  for (const mouse of [true, false]) {
    for (const env of [{ TERM: 'xterm' }, { TERM: 'tmux-256color', TMUX: '/tmp/tmux-0/default,1,0' }]) {
      const { window, writes } = openScreen({ mouse, env })
      window.draw({ rows: [line('x')] })
      window.setMouse(!mouse)
      window.setMouse(!mouse)
      assert.equal(window.mouse, !mouse)
      window.setMouse(mouse)
      window.setMouse(!mouse)
      window.close()
      const isOn = new Map([['?7', true]])
      const saved = new Map<string, boolean>()
      for (const [, mode = '', final] of writes.join('').matchAll(/\x1b\[(\?\d+)([hlsr])/g)) {
        if (final === 's') saved.set(mode, isOn.get(mode) ?? false)
        else isOn.set(mode, final === 'h' || (final === 'r' && saved.get(mode) === true))
      }
      const left = [...isOn].filter(([mode, on]) => on !== (mode === '?7' || mode === '?25'))
      assert.deepEqual(left, [])
      assert.ok(isOn.size > 6)
      const keys = writes.join('')
      assert.equal(keys.split('\x1b[>1u').length, keys.split('\x1b[<u').length)
      assert.equal(keys.includes('\x1b[>4;1m'), 'TMUX' in env)
      assert.equal(keys.includes('\x1b[>4;0m'), 'TMUX' in env)
      // The scroll region is the whole screen again.
      assert.match(keys, /\x1b\[r\x1b\[m(?!\x1b\[2J)/)
      assert.match(keys, /\x1b\[\?7h\x1b\[\?25h\x1b\[\?1049l$/)
    }
  }
})

test('the terminal may have any size, and change it', async () => {
  let asked = 0
  const screen = openScreen({ onResize: () => asked++ })
  const { window, text } = screen
  const draw = () =>
    window.draw(
      chat([line('one'), line('日本語')], { columns: window.columns, rows: Math.max(2, window.rows) }),
    )
  draw()
  for (const [columns, rows] of [
    [1, 1],
    [2, 2],
    [3, 4],
    [10, 3],
    [39, 10],
    [200, 60],
    [1, 1],
    [20, 5],
  ] as const) {
    screen.resize(columns, rows)
    assert.deepEqual([window.columns, window.rows], [columns, rows])
    draw()
  }
  assert.equal(asked, 8)
  const nameless = openScreen({ output: Object.assign(new PassThrough(), { columns: 0, rows: 0 }) })
  assert.deepEqual([nameless.window.columns, nameless.window.rows], [80, 24])
  nameless.window.close()
  assert.deepEqual(await text(), ['one', '日本語', '', '─'.repeat(20), '›'])
  window.close()
})

test('while the terminal does not read, nothing is queued but the frame in flight, and then the newest is drawn', async () => {
  const writes: string[] = []
  let go: (() => void) | undefined
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      writes.push(chunk)
      go = done
    },
  })
  const { window } = openScreen({ output })
  const release = async () => {
    go?.()
    await turn()
  }
  await release()
  for (let number = 0; number < 100; number++) window.draw({ rows: [line(`frame ${number}`)] })
  const queued = writes.length
  assert.ok(output.writableLength < 2000, `${output.writableLength} characters wait`)
  for (let turns = 0; turns < 4; turns++) await release()
  assert.ok(writes.length > queued)
  assert.match(writes.at(-1) ?? '', /99/)
  assert.ok(writes.length < 8, `${writes.length} writes`)
  window.close()
})

test('keys come as they were read together; two and more equal arrows are the wheel while the mouse is off', async () => {
  const rows: [bytes: string, mouse: boolean, came: string[]][] = [
    ['\x1b[A', false, ['up']],
    ['\x1b[A\x1b[A\x1b[A', false, ['wheel -1']],
    ['\x1bOB\x1bOB', false, ['wheel 1']],
    [`${'\x1b[B'.repeat(6)}x`, false, ['wheel 1', 'wheel 1', 'x']],
    ['\x1b[A\x1b[B', false, ['up', 'down']],
    ['\x1b[1;2A\x1b[1;2A', false, ['up', 'up']],
    ['\x1b[A\x1b[A\x1b[A', true, ['up', 'up', 'up']],
    ['\x1b[<64;3;4M', true, ['wheel -1']],
  ]
  for (const [bytes, mouse, came] of rows) {
    const { window, input, inputs } = openScreen({ mouse })
    input.write(bytes)
    await turn()
    assert.deepEqual(inputs.map(named), came, JSON.stringify(bytes))
    window.close()
  }
})

const named = (input: Input): string =>
  input.type === 'key' ? input.name : input.type === 'wheel' ? `wheel ${input.direction}` : input.type

test('a lone Esc comes without another key; the focus is known', async () => {
  let tell: (inputs: readonly Input[]) => void
  const keys = new Promise<readonly Input[]>(resolve => {
    tell = resolve
  })
  const focus: boolean[] = []
  const { window, input } = openScreen({
    onInput(inputs) {
      for (const each of inputs) if (each.type === 'focus') focus.push(each.focused)
      if (inputs.some(({ type }) => type === 'key')) tell(inputs)
    },
  })
  input.write('\x1b[O')
  input.write('\x1b')
  assert.deepEqual((await keys).map(named), ['escape'])
  assert.deepEqual(focus, [false])
  window.close()
})

test('another program gets the terminal as it was, and the window comes back whole', async () => {
  let asked = 0
  const screen = openScreen({ columns: 20, rows: 3, onResize: () => asked++ })
  const { window, writes, inputs, input, text } = screen
  window.draw({ rows: [line('hello')], cursor: { row: 0, column: 2 } })
  const answer = await window.lend(async () => {
    assert.match(writes.at(-1) ?? '', /\x1b\[\?1049l$/)
    const before = writes.length
    window.draw({ rows: [line('drawn meanwhile')], cursor: { row: 0, column: 2 } })
    input.write('x')
    window.send('\x07')
    window.setMouse(true)
    screen.resize(30, 3)
    await turn()
    assert.equal(writes.length, before)
    assert.equal(asked, 0)
    assert.deepEqual(inputs, [])
    // Who has the terminal may be in this process and read from the same stream.
    input.resume()
    await turn()
    input.pause()
    return 42
  })
  assert.equal(answer, 42)
  assert.deepEqual(inputs, [])
  assert.equal(asked, 1)
  assert.match(writes.join(''), /\x1b\[\?1002h/)
  assert.deepEqual(await text(), ['drawn meanwhile', '', ''])
  // A cursor that was saved before is not trusted.
  assert.match(writes.at(-1) ?? '', /\x1b\[1;3H\x1b7\x1b\[\?25h\x1b\[\?2026l$/)
  await assert.rejects(
    window.lend(async () => {
      throw new Error('no editor')
    }),
    /no editor/,
  )
  assert.match(writes.join(''), /drawn meanwhile[\s\S]*drawn meanwhile/)
  window.close()
})

test('what is left on the normal screen comes in the same write that leaves the alternate one', () => {
  const { window, writes } = openScreen({
    farewell: () => [line('last words', 'strong'), line('gopi --resume abc')],
  })
  window.draw({ rows: [line('x')] })
  window.close()
  assert.match(writes.at(-1) ?? '', /\x1b\[\?1049l\x1b\[1mlast words\x1b\[m\r\ngopi --resume abc\r\n$/)
  const count = writes.length
  window.close()
  window.draw({ rows: [line('too late')] })
  assert.equal(writes.length, count)
})

test('what the terminal answers after the window was closed is taken, and what is typed then is not', async () => {
  const { window, input, inputs } = openScreen()
  window.draw({ rows: [line('x')] })
  window.close()
  assert.equal(input.listenerCount('data'), 1)
  input.write('abc\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[2;3R')
  await turn()
  assert.equal(input.listenerCount('data'), 1)
  input.write('\x1b[?62c')
  await turn()
  assert.equal(input.listenerCount('data'), 0)
  assert.ok(input.isPaused())
  assert.deepEqual(inputs, [])
})

test('a window leaves no listener on the process, and none of blessed ever was', () => {
  const count = () => process.eventNames().map(name => `${String(name)} ${process.listenerCount(name)}`)
  const before = count()
  const { window } = openScreen()
  assert.deepEqual(count(), before)
  window.close()
  const watched = openScreen({ process })
  assert.notDeepEqual(count(), before)
  watched.window.close()
  assert.deepEqual(count(), before)
})

test('a job that was stopped without a warning comes back with each mode switched on once', () => {
  const system = Object.assign(new EventEmitter(), { pid: 0, kill: () => true })
  const { window, writes } = openScreen({ process: system as unknown as NodeJS.Process })
  window.draw({ rows: [line('here')] })
  system.emit('SIGCONT')
  assert.match(writes.at(-1) ?? '', /here/)
  window.close()
  const all = writes.join('')
  const times = (part: string) => all.split(part).length - 1
  assert.deepEqual([times('\x1b[>1u'), times('\x1b[<u')], [2, 2])
  assert.deepEqual([times('\x1b[?1049h'), times('\x1b[?1049l')], [2, 2])
})
