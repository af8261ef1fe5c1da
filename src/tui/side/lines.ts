/** The side column as lines: the model, the context by part, what is to be done, what runs, the files, the servers. */
import { sanitize } from '../../text/sanitize.ts'
import { diskSize, inThousands } from '../../text/truncate.ts'
import { cut, displayWidth } from '../../text/width.ts'
import type { Words } from '../../words/words.ts'
import type { Line } from '../line.ts'
import { cutSpans, widthOf } from '../spans.ts'
import type { Status } from '../status.ts'
import type { Side, SideFile } from './side.ts'

export interface SideLook {
  /** Columns, and rows at most. */
  width: number
  height: number
  words: Words
  status: Status
  /** The person is asked, and everything waits for the answer. */
  asks: boolean
  /** What agents work on. */
  tasks: readonly string[]
  /** What shows a file's changes, as it is printed. */
  changesKey: string
}

/** At most `height` lines, none wider than `width`. Of long lists the first entries are shown, and how many more there are. */
export function sideLines(side: Side, look: SideLook): Line[] {
  const { width, height, words, status, tasks, changesKey } = look
  const { side: said } = words
  const changed = side.files.filter(({ diffs }) => diffs.length > 0)
  const read = side.files.filter(({ diffs }) => diffs.length === 0)
  const lists = [
    { title: said.todo, rows: side.todo.map(text => plain(text)) },
    { title: said.running, rows: [...tasks, ...side.running].map(text => plain(oneLine(text))) },
    { title: `${said.changed} · ${changesKey}`, rows: changed.map(file => fileLine(file, width)) },
    { title: said.read, rows: read.map(({ path }) => plain(endOf(path, width))) },
    { title: said.servers, rows: side.servers.map(server => serverLine(server, look)) },
  ].filter(({ rows }) => rows.length > 0)
  const head = [...modelLines(side, look), ...contextLines(side, status, { words, width })]
  // Each list has a blank row and a title; what is left is shared.
  const room = Math.max(0, height - head.length - 2 * lists.length)
  const lines: Line[] = [...head]
  let left = room
  for (const [index, { title, rows }] of lists.entries()) {
    const most = Math.max(1, Math.floor(left / (lists.length - index)))
    const shown = rows.length <= most ? rows : rows.slice(0, most - 1)
    if (rows.length > most)
      shown.push([{ text: words.lists.moreItems(rows.length - most + 1), style: 'muted' }])
    left -= shown.length
    lines.push([], [{ text: title, style: 'heading' }], ...shown)
  }
  return lines.slice(0, height).map(line => cutSpans(line, width))
}

/** Of many lines the first; what a model wrote is cleaned. */
const oneLine = (text: string): string => sanitize(text).trim().split('\n')[0] ?? ''

function serverLine({ name, state }: Side['servers'][number], { width, words }: SideLook): Line {
  const shown = (words.kit.states as Readonly<Record<string, string>>)[state] ?? state
  return sides(name, shown, width)
}

const plain = (text: string): Line => [{ text, style: 'plain' }]

function modelLines({ memory }: Side, { status, asks, words }: SideLook): Line[] {
  const { model, dialect, phase } = status
  const { side, footer, notices } = words
  if (model === '') return []
  const muted = (text: string): Line => [{ text, style: 'muted' }]
  const share = memory && memory.size > 0 ? Math.round((100 * memory.gpu) / memory.size) : 0
  return [
    [
      { text: model, style: 'strong' },
      { text: dialect === undefined ? '' : ` ${dialect}`, style: 'muted' },
    ],
    muted(asks ? notices.asks : footer.phases[phase.name]),
    ...(memory ? [muted(side.memory(diskSize(memory.size), share))] : []),
  ]
}

function contextLines(
  { parts }: Side,
  { limit, usage }: Status,
  { words, width }: { words: Words; width: number },
): Line[] {
  const shown = parts.filter(([, tokens]) => tokens > 0)
  if (shown.length === 0) return []
  const used = usage?.context_tokens
  const total =
    limit && used !== undefined
      ? words.footer.context(inThousands(used), inThousands(limit), Math.round((100 * used) / limit))
      : words.side.context
  return [
    [],
    [{ text: total, style: 'heading' }],
    ...shown.map(([name, tokens]) => sides(name, inThousands(tokens), width)),
  ]
}

function sides(name: string, value: string, width: number): Line {
  const room = Math.max(1, width - displayWidth(value) - 1)
  const shown = cut(name, room, { mark: '…' })
  return [
    { text: shown, style: 'plain' },
    {
      text: ' '.repeat(Math.max(1, width - displayWidth(shown) - displayWidth(value))) + value,
      style: 'muted',
    },
  ]
}

function fileLine({ path, added, removed }: SideFile, width: number): Line {
  const counts: Line = [
    { text: `+${added}`, style: 'added' },
    { text: ` −${removed}`, style: 'removed' },
  ]
  const name = endOf(path, width - widthOf(counts) - 1)
  const gap = ' '.repeat(Math.max(1, width - displayWidth(name) - widthOf(counts)))
  return [{ text: name + gap, style: 'plain' }, ...counts]
}

/** Of a long path the end counts. */
function endOf(path: string, width: number): string {
  if (displayWidth(path) <= width) return path
  const letters = [...path]
  while (letters.length > 0 && displayWidth(letters.join('')) > width - 1) letters.shift()
  return `…${letters.join('')}`
}
