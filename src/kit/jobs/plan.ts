/** What follows a plan: the person carries it out, changes it first, or leaves it. */
import type { Desk } from '../commands/command.ts'

const CHOICES = ['ask', 'edit', 'change', 'reject'] as const

/** An answer in mode plan that lists steps. */
const isPlan = (text: string): boolean => (text.match(/^\s*(?:\d+[.)]|[-*])\s+\S/gm)?.length ?? 0) > 1

export async function followPlan(desk: Desk, text: string): Promise<void> {
  if (!isPlan(text)) return
  const { plan: said } = desk.words.doing
  const id = await desk.choose(
    said.title,
    CHOICES.map(name => ({ id: name, label: said[name] })),
  )
  if (id === 'change') desk.put(`${said.changed}\n\n${text.trim()}`)
  if (id !== 'ask' && id !== 'edit') return
  desk.session.setMode(id === 'ask' ? 'ask' : 'auto-edit')
  desk.prompt(said.go)
}
