/** `/tasks`: what runs in the background, to be ended; `/background`: the command that runs goes there. */
import type { Desk } from '../commands/command.ts'

export async function tasks({ session, words, say, choose }: Desk): Promise<void> {
  const { tasks: said } = words.doing
  const { background } = session
  if (background.running.length === 0) return say(said.none)
  const choices = background.running.map(([id, { command, pid }]) => ({
    id,
    label: `${id}  ${command.split('\n')[0]}`,
    detail: said.process(pid ?? 0),
  }))
  const id = await choose(said.which, choices)
  if (id === undefined) return
  await background.find(id)?.kill()
  say(said.ended(id))
}

export async function background({ session, words, say }: Desk): Promise<void> {
  if (!session.toBackground()) say(words.notices.nothingRunning)
}
