/** `/tasks`: what runs in the background, what it wrote last, and its end; `/background`: the command that runs goes there. */
import type { Desk } from '../commands/command.ts'

/** Lines of its newest output that are shown. */
const mostLines = 20

export async function tasks({ session, words, show, say, choose }: Desk): Promise<void> {
  const { tasks: said } = words.doing
  const { background } = session
  if (background.running.length === 0) return say(said.none)
  const now = performance.now()
  const choices = background.running.map(([id, { command, since }]) => ({
    id,
    label: `${id}  ${command.split('\n')[0]}`,
    detail: words.time(1000 * Math.floor((now - since) / 1000)),
  }))
  const id = await choose(said.which, choices)
  const job = id === undefined ? undefined : background.find(id)
  if (id === undefined || !job) return
  const lines = job.newest.trimEnd().split('\n').slice(-mostLines)
  show([`$ ${job.command}`, lines.join('\n') || said.silent].join('\n'))
  const answer = await choose(id, [
    { id: 'keep', label: said.keep },
    { id: 'end', label: said.end },
  ])
  if (answer !== 'end') return
  await job.stop()
  say(said.ended(id))
}

export async function background({ session, words, say }: Desk): Promise<void> {
  if (!session.toBackground()) say(words.notices.nothingRunning)
}
