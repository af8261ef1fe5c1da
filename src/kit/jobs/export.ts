/** `/export`: the conversation as a file, Markdown or one HTML page that needs nothing from elsewhere. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { messagesIn, storyOf, tallyOf } from '../../session/story.ts'
import type { Desk } from '../commands/command.ts'
import { partsOf } from './story-parts.ts'

export async function exportTo(desk: Desk, argument: string): Promise<void> {
  const { session, words, place } = desk
  const { export: said } = words.doing
  const entries = storyOf(session)
  const parts = partsOf(messagesIn(entries), reply => session.readable(reply))
  if (parts.length === 0) return desk.refuse(said.nothing)
  const { title, model = '' } = tallyOf(entries)
  const story = {
    title,
    about: [model, place.cwd, entries[0] && timeOf(entries[0])].filter(Boolean).join(' · '),
    parts,
  }
  // A bare format is no name: whoever says `html` means a page.
  const format = argument === '' ? 'md' : /^(?:md|html)$/i.exec(argument)?.[0].toLowerCase()
  const file = path.resolve(place.cwd, format === undefined ? argument : `gopi-${session.id}.${format}`)
  const isPage = /\.html?$/i.test(file)
  const text = isPage
    ? (await import('./story-page.ts')).pageOf(story, words)
    : (await import('./story-markdown.ts')).markdownOf(story, words)
  if (existsSync(file) && !(await desk.confirm(said.overwrite, file))) return
  await writeFile(file, text, { mode: 0o600 })
  desk.say(said.done(file))
}

const timeOf = (entry: object): string =>
  'timestamp' in entry ? String(entry.timestamp).slice(0, 16).replace('T', ' ') : ''
