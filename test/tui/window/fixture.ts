/** A program with a window, for the tests on a real terminal: what a key does stands below. */
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { displayWidth } from '../../../src/text/width.ts'
import type { Line } from '../../../src/tui/line.ts'
import { openWindow } from '../../../src/tui/window/open.ts'

const [log = '', ending = 'quick'] = process.argv.slice(2)
const tell = (text: string) => appendFileSync(log, `${text}\n`)
const line = (text: string): Line => [{ text, style: 'plain' }]

const WIDE = [
  'emoji 😀🚀 end',
  'VS16 ❤️ ⚠️ end',
  'flags 🇯🇵🇺🇸 end',
  'ZWJ 👨‍👩‍👧 end',
  'tone 👍🏽 end',
  'han 𠮷野家 end',
  'marks e\u0301 ก็ end',
]

/** As an app has that is in the middle of something. */
const busy = setInterval(() => {}, 60_000)

let typed = ''
let frames = 0
let rows: Line[] = []

function draw(): void {
  const size = `${window.columns}x${window.rows}`
  const filler = Array.from({ length: Math.max(0, window.rows - 2) }, (_, row) =>
    line(
      frames > 0
        ? `${frames} ${row} ${String.fromCharCode(0x61 + (frames % 26)).repeat(window.columns)}`
        : '',
    ),
  )
  window.draw({ rows: [line(`window ${size} ${typed}`), ...rows, ...filler], cursor: { row: 0, column: 0 } })
}

function spam(): void {
  frames++
  if (frames % 100 === 0) tell(`frame ${frames}`)
  draw()
  setTimeout(spam, 5)
}

const keys: Record<string, () => void> = {
  q: () => {
    window.close()
    clearInterval(busy)
    tell('closed')
  },
  e: () => process.exit(7),
  x: () => {
    throw new Error('thrown \x1b]0;evil\x07on purpose')
  },
  r: () => {
    void Promise.reject(new Error('rejected on purpose'))
  },
  z: () => window.suspend(),
  s: spam,
  l: () => {
    const run = () =>
      new Promise<string>(resolve => {
        const child = spawn('sh', ['-c', 'echo ready >&2; read line; echo "read $line"'], {
          stdio: ['inherit', 'pipe', 'inherit'],
        })
        let out = ''
        child.stdout.on('data', piece => (out += piece))
        child.on('close', (code, signal) => resolve(out.trim() || `ended by ${signal ?? code}`))
      })
    void window.lend(run).then(tell)
  },
  w: () => {
    rows = WIDE.map(text => line(`│${text}${' '.repeat(20 - displayWidth(text))}│`))
  },
  o: () => {
    rows = WIDE.map(() => line(`│${'x'.repeat(20)}│`))
  },
}

const window = openWindow({
  input: process.stdin,
  output: process.stdout,
  env: process.env,
  theme: 'dark',
  mouse: true,
  onInput(inputs) {
    for (const input of inputs) {
      if (input.type !== 'key') continue
      typed += input.ctrl ? `^${input.name}` : input.name
      tell(`key ${input.name}`)
      keys[input.name]?.()
    }
    draw()
  },
  onResize: draw,
  async onGone(why) {
    tell(`gone ${why}`)
    if (ending === 'never') await new Promise(resolve => setTimeout(resolve, 60_000))
    await new Promise(resolve => setTimeout(resolve, 20))
    tell('aborted')
  },
  farewell: () => [line('the last words')],
  process,
})
draw()
tell(`pid ${process.pid}`)
