/** The first cell: what a person should know before they begin. */
import { sanitize } from '../../text/sanitize.ts'
import { displayWidth } from '../../text/width.ts'
import type { Words } from '../../words/words.ts'
import type { Line } from '../line.ts'
import type { Look, Welcome } from './cell.ts'
import { textLines } from './text.ts'

/** Where it is narrower, the names are above the values instead of beside them. */
const COLUMNS_FOR_NAMES = 40
/** Names of a kind that are listed; `/kit` lists all. */
const MOST_NAMED = 8
const KINDS = ['skills', 'servers', 'extensions'] as const

export function welcomeLines(welcome: Welcome, width: number, { words }: Look): Line[] {
  const { version, model, dialect, directory, trusted, instructions, loaded, keys, last } = welcome
  const trust = trusted ? words.welcome.trusted : words.welcome.notTrusted
  const facts: [name: string, value: string][] = [
    [words.welcome.model, model === '' ? words.welcome.connecting : `${model} · ${dialect}`],
    [words.welcome.directory, `${directory} · ${trust}`],
    ...instructions.map(({ path, tokens }, index): [string, string] => [
      index === 0 ? words.welcome.instructions : '',
      `${path} · ${words.tokens(tokens)}`,
    ]),
    ...KINDS.filter(kind => loaded[kind].length > 0).map((kind): [string, string] => [
      words.welcome[kind],
      named(loaded[kind], words),
    ]),
    ...(last ? [[words.welcome.last, words.welcome.goOn(last)] as [string, string]] : []),
  ]
  const names = Math.max(...facts.map(([name]) => displayWidth(name)), displayWidth(words.welcome.try)) + 2
  return [
    ...textLines(version, width, { style: 'muted', first: { text: 'gopi ', style: 'strong' } }),
    ...facts.flatMap(([name, value]) => factLines(name, value, { width, names })),
    ...words.welcome.tries.flatMap((text, index) =>
      factLines(index === 0 ? words.welcome.try : '', text, { width, names }),
    ),
    ...textLines(keys.map(({ key, does }) => `${key} ${does}`).join(' · '), width, { style: 'muted' }),
  ]
}

function named(names: readonly string[], { listed, lists }: Words): string {
  const more = names.length - MOST_NAMED
  return listed(more > 0 ? [...names.slice(0, MOST_NAMED), lists.moreItems(more)] : names)
}

function factLines(name: string, value: string, { width, names }: { width: number; names: number }): Line[] {
  if (width < COLUMNS_FOR_NAMES) return textLines(`${name} ${value}`.trim(), width, { style: 'muted' })
  const first = `${name}${' '.repeat(names - displayWidth(name))}`
  return textLines(sanitize(value), width, { style: 'plain', first: { text: first, style: 'muted' } })
}
