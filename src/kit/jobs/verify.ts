/** `/verify`: what checks the work of this session, what the project offers, and nothing any more. */
import { foundChecks } from '../../session/found-checks.ts'
import type { Desk } from '../commands/command.ts'

export async function verify(
  { session, words, place, show, say, refuse, confirm }: Desk,
  typed: string,
): Promise<void> {
  const { verify: said } = words.doing
  const { checks } = session
  if (typed === 'off') {
    checks.off()
    return say(said.off)
  }
  if (typed !== '') return refuse(said.expects)
  const own = lines(checks.table)
  if (own.length > 0) return show([said.now, ...own].join('\n'))
  const found = foundChecks(place.cwd)
  if (Object.keys(found).length === 0) return say(said.nothing)
  if (!(await confirm(said.offer, lines(found).join('\n')))) return
  checks.set(found)
  say(said.on)
}

const lines = (table: Desk['session']['checks']['table']): string[] =>
  Object.entries(table).map(
    ([glob, check]) => `  ${glob}  ${('run' in check ? check.run : check).join(' · ')}`,
  )
