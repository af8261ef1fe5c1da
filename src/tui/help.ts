/** The help: every key with what it does, every command, made from the keymap and the catalogue. */
import { cut, displayWidth } from '../text/width.ts'
import { wrap } from '../text/wrap.ts'
import type { CommandName } from '../words/helping.ts'
import type { Words } from '../words/words.ts'
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
  words: Words
  keymap: Keymap
  width: number
}

/** Between keys and what they do. */
const GAP = 2

/** The whole help, no line wider than `width`: who shows it scrolls. */
export function helpLines({ words, keymap, width }: HelpOptions): Line[] {
  const sections = sectionsOf(words, keymap)
  const widest = Math.max(...sections.flatMap(({ rows }) => rows.map(({ key }) => displayWidth(key))))
  const column = Math.min(widest, Math.floor(width * 0.3))
  return sections.flatMap(({ title, rows }, index): Line[] => [
    ...(index === 0 ? [] : [[]]),
    [{ text: cut(title, width), style: 'heading' }],
    ...rows.flatMap(row => rowLines(row, { width, column })),
  ])
}

function sectionsOf(words: Words, keymap: Keymap): Section[] {
  const { help, groups, commands } = words
  const actions: Readonly<Record<Action, string>> = words.actions
  const sections: Section[] = []
  let group: string | undefined
  for (const entry of keyList(keymap)) {
    if (entry.group !== group) sections.push({ title: groups[entry.group], rows: [] })
    group = entry.group
    const key = entry.keys.length > 0 ? entry.keys.join(', ') : help.noKey
    sections.at(-1)?.rows.push({ key, does: actions[entry.action] })
  }
  const names = Object.keys(commands) as CommandName[]
  const ordered = names.map(name => {
    const { does, argument } = commands[name]
    return { key: argument === undefined ? `/${name}` : `/${name} ${argument}`, does }
  })
  const [first, ...others] = sections
  return [
    ...(first ? [first] : []),
    { title: help.typedTitle, rows: [...help.typed] },
    { title: help.commands, rows: ordered },
    ...others,
  ]
}

/** Keys that are too long for their column have a line of their own. */
function rowLines({ key, does }: Row, { width, column }: { width: number; column: number }): Line[] {
  const indent = ' '.repeat(Math.min(column + GAP, Math.max(0, width - 1)))
  const rows = wrap(does, Math.max(1, width - indent.length))
  if (displayWidth(key) > column) {
    return [
      [{ text: cut(key, width, { mark: '…' }), style: 'accent' }],
      ...rows.map(
        (text): Line => [
          { text: indent, style: 'plain' },
          { text, style: 'plain' },
        ],
      ),
    ]
  }
  const lead = key + ' '.repeat(indent.length - displayWidth(key))
  return rows.map(
    (text, index): Line => [
      index === 0 ? { text: lead, style: 'accent' } : { text: indent, style: 'plain' },
      { text, style: 'plain' },
    ],
  )
}
