import type { Desk } from '../commands/command.ts'

/** `/name`: how lists call the session; without an argument it says how. */
export async function name({ session, words, say }: Desk, wanted: string): Promise<void> {
  const { name: said } = words.doing
  if (wanted !== '') session.setName(wanted.slice(0, 100))
  const { name: now } = session
  say(now === undefined ? said.none : said.now(now))
}
