/** The help: every key with what it does, every command, made from the tables and the catalogue. */
import type { Command } from '../kit/commands/command.ts'
import { helpRow } from '../kit/commands/obey.ts'
import { cut, displayWidth } from '../text/width.ts'
import type { Words } from '../words/words.ts'
import { textLines } from './cells/text.ts'
import { type Action, type Keymap, keyList } from './keymap.ts'
import type { Line } from './line.ts'

interface Row {
  key: string
  does: string
}

interface Section {
  title: string
  rows: Row[]
}

export interface HelpOptions {
  commands: readonly Command[]
  words: Words
  keymap: Keymap
  width: number
}

/** Between keys and what they do. */
const GAP = 2

/** The whole help, no line wider than `width`: who shows it scrolls. */
export function helpLines({ width, ...tables }: HelpOptions): Line[] {
  const sections = sectionsOf(tables)
  const widest = Math.max(...sections.flatMap(({ rows }) => rows.map(({ key }) => displayWidth(key))))
  const column = Math.min(widest, Math.floor(width * 0.3))
  return sections.flatMap(({ title, rows }, index): Line[] => [
    ...(index === 0 ? [] : [[]]),
    [{ text: cut(title, width), style: 'heading' }],
    ...rows.flatMap(row => rowLines(row, { width, column })),
  ])
}

function sectionsOf({ commands, words, keymap }: Omit<HelpOptions, 'width'>): Section[] {
  const { help, groups } = words
  const actions: Readonly<Record<Action, string>> = words.actions
  const sections: Section[] = []
  let group: string | undefined
  for (const entry of keyList(keymap)) {
    if (entry.group !== group) sections.push({ title: groups[entry.group], rows: [] })
    group = entry.group
    const key = entry.keys.length > 0 ? entry.keys.join(', ') : help.noKey
    sections.at(-1)?.rows.push({ key, does: actions[entry.action] })
  }
  const [first, ...others] = sections
  return [
    ...(first ? [first] : []),
    { title: help.typedTitle, rows: [...help.typed] },
    { title: help.commands, rows: commands.map(command => helpRow(command, words)) },
    ...others,
  ]
}

/** Keys that are too long for their column have a line of their own. */
function rowLines({ key, does }: Row, { width, column }: { width: number; column: number }): Line[] {
  const indent = ' '.repeat(Math.min(column + GAP, Math.max(0, width - 1)))
  const style = 'plain'
  if (displayWidth(key) <= column) {
    const lead = key + ' '.repeat(indent.length - displayWidth(key))
    return textLines(does, width, { style, first: { text: lead, style: 'accent' } })
  }
  return [
    [{ text: cut(key, width, { mark: '…' }), style: 'accent' }],
    ...textLines(does, width, { style, first: { text: indent, style } }),
  ]
}
