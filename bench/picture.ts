/**
 * `npm run picture`: the conversation that README shows, .github/screen.svg. The built program on an emulated terminal talks
 * with its demo server in a directory of its own; the screen as it stands then becomes text in colours.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'

const root = fileURLToPath(new URL('..', import.meta.url))
const SIZE = { columns: 90, rows: 26 }
/** Pixels of a character. */
const CELL = { width: 8.4, height: 18 }
const PAPER = '#16181d'
const INK = '#d6d9de'
const FAINT = '#868d98'

const home = mkdtempSync(path.join(tmpdir(), 'gopi-picture-'))
try {
  const project = path.join(home, 'hello')
  mkdirSync(project)
  writeFileSync(path.join(project, 'greet.js'), 'export const greet = name => `Hello, ${name}`\n')
  const emulator = new xterm.Terminal({ cols: SIZE.columns, rows: SIZE.rows, allowProposedApi: true })
  const pty = spawn(process.execPath, [path.join(root, 'dist/gopi.cjs'), '--demo', '--mode', 'auto-edit'], {
    name: 'xterm-256color',
    cols: SIZE.columns,
    rows: SIZE.rows,
    cwd: project,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
    },
  })
  emulator.onData(answer => pty.write(answer))
  pty.onData(piece => emulator.write(piece))
  const text = () => rowsOf(emulator).map(row => row.map(({ text }) => text).join(''))
  const shows = async (wanted: RegExp) => {
    while (!wanted.test(text().join('\n'))) await sleep(50)
  }
  const ask = async (words: string, answer: RegExp) => {
    await shows(/Say what/)
    pty.write(words)
    await shows(new RegExp(words.slice(-12).replaceAll(/[^\w ]/g, '.')))
    pty.write('\r')
    await shows(answer)
  }
  await ask('Read greet.js', /export const greet[\s\S]*Say what/)
  await ask('Replace Hello by Welcome in greet.js', /Welcome, [\s\S]*Say what/)
  await sleep(500)
  writeFileSync(path.join(root, '.github/screen.svg'), svg(rowsOf(emulator)))
  pty.kill()
} finally {
  rmSync(home, { recursive: true, force: true })
}

interface Run {
  column: number
  text: string
  ink: string
  paper: string | undefined
  bold: boolean
}

/** The cells of each row, those that look alike together. */
function rowsOf(emulator: InstanceType<typeof xterm.Terminal>): Run[][] {
  const { active } = emulator.buffer
  return Array.from({ length: SIZE.rows }, (_, row) => {
    const runs: Run[] = []
    const line = active.getLine(active.baseY + row)
    for (let column = 0; column < SIZE.columns; column++) {
      const cell = line?.getCell(column)
      if (!cell || cell.getWidth() === 0) continue
      const [front, back] = [
        colour(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
        colour(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
      ]
      const isInverse = cell.isInverse() !== 0
      const ink = (isInverse ? (back ?? PAPER) : front) ?? (cell.isDim() ? FAINT : INK)
      const paper = isInverse ? (front ?? INK) : back
      const bold = cell.isBold() !== 0
      const last = runs.at(-1)
      const text = cell.getChars() || ' '
      if (last && last.ink === ink && last.paper === paper && last.bold === bold) last.text += text
      else runs.push({ column, text, ink, paper, bold })
    }
    return runs
  })
}

/** undefined: the terminal's own. */
function colour(isRgb: boolean, isPalette: boolean, value: number): string | undefined {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`
  if (!isPalette) return undefined
  const basic = ['#000000', '#cd5c5c', '#7fb77e', '#d9b45b', '#6a9fd8', '#b48ead', '#6fb7bd', '#c8ccd2']
  if (value < 16) return value === 8 ? '#7a808a' : basic[value % 8]
  if (value >= 232) return `#${(8 + (value - 232) * 10).toString(16).padStart(2, '0').repeat(3)}`
  const step = (part: number) => (part === 0 ? 0 : 55 + part * 40).toString(16).padStart(2, '0')
  const at = value - 16
  return `#${step(Math.floor(at / 36))}${step(Math.floor(at / 6) % 6)}${step(at % 6)}`
}

function svg(rows: readonly Run[][]): string {
  const width = Math.ceil(SIZE.columns * CELL.width) + 24
  const height = SIZE.rows * CELL.height + 24
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', ' ')
  const x = (column: number) => (12 + column * CELL.width).toFixed(1)
  const marks = rows.flatMap((runs, row) =>
    runs.flatMap(({ column, text, ink, paper, bold }) => {
      const length = (text.length * CELL.width).toFixed(1)
      const top = 12 + row * CELL.height
      const words = text.trimEnd()
      return [
        ...(paper === undefined
          ? []
          : [
              `<rect x="${x(column)}" y="${top}" width="${length}" height="${CELL.height}" fill="${paper}"/>`,
            ]),
        ...(words === ''
          ? []
          : [
              `<text x="${x(column)}" y="${top + 14}" fill="${ink}" textLength="${(words.length * CELL.width).toFixed(1)}"${bold ? ' font-weight="bold"' : ''}>${escaped(words)}</text>`,
            ]),
      ]
    }),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    '<title>A conversation with gopi in a terminal</title>',
    `<rect width="${width}" height="${height}" rx="8" fill="${PAPER}"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">',
    ...marks,
    '</g>',
    '</svg>\n',
  ].join('\n')
}
