/** `/sessions`: those of this directory; `/sessions delete ID` removes one. */
import { describeSessions, pastSessions, removeSession } from '../../session/past.ts'
import { findSession, sessionsDirectory } from '../../session/store.ts'
import type { Desk } from '../commands/command.ts'

export async function sessions(desk: Desk, argument: string): Promise<void> {
  const { words, place, session } = desk
  const { sessions: said } = words.doing
  const { home, cwd } = place
  const [, id] = /^delete\s+(\S+)$/.exec(argument) ?? []
  if (argument === '') {
    const lines = describeSessions(home, cwd).map(({ text }) => text)
    return desk.show(lines.length === 0 ? words.lists.noSessions : lines.join('\n'))
  }
  if (id === undefined) return desk.refuse(words.notices.expects('/sessions', said.expected))
  const found = findSession(sessionsDirectory(home, cwd), id)
  if (found.id === session.id) return desk.refuse(said.ownOne)
  const first = pastSessions(home, cwd).find(one => one.id === found.id)?.first ?? ''
  if (!(await desk.confirm(said.sure, `${found.id}  ${first}`))) return
  const process = removeSession(found)
  desk.say(process === undefined ? said.removed(found.id) : said.isOpen(found.id, process))
}
