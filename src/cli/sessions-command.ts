/** `gopi sessions`: what there is, and removing it. */
import { realpathSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { gopiHome } from '../config/home.ts'
import { UsageError } from '../protocol/errors.ts'
import { removeSession, sessionDirectories, sessionsBefore, skippedJournals } from '../session/past.ts'
import {
  findSession,
  listSessions,
  readJournal,
  type SessionPlace,
  sessionsDirectory,
} from '../session/store.ts'
import { entriesOf, type Tally, tallyOf } from '../session/story.ts'
import { escapeJson, sanitize } from '../text/sanitize.ts'
import { count, plural } from '../text/truncate.ts'
import { EN } from '../words/en.ts'
import type { SessionsCommand } from './args.ts'
import { say } from './say.ts'

export async function sessionsCommand(command: SessionsCommand): Promise<number> {
  const [home, cwd] = [gopiHome(process.env), realpathSync(process.cwd())]
  const directories = sessionDirectories(home, command.all ? undefined : cwd)
  if (command.verb === 'delete')
    return remove([findSession(sessionsDirectory(home, cwd), command.id ?? '')], command)
  if (command.verb === 'prune')
    return remove(sessionsBefore(directories, Date.now() - ageOf(command.olderThan ?? '')), command)
  return list(directories, { command, home, cwd })
}

function list(
  directories: readonly string[],
  { command, home, cwd }: { command: SessionsCommand; home: string; cwd: string },
): number {
  const found = directories.flatMap(listSessions).sort((a, b) => b.modified.getTime() - a.modified.getTime())
  if (found.length === 0)
    process.stderr.write(
      command.all ? 'There is no session yet.\n' : 'There is no session of this directory yet.\n',
    )
  for (const session of found) {
    const tally = tallied(session)
    if (!tally) continue
    const line = command.json ? asJson(session, tally) : asLine(session, tally, command.all === true)
    process.stdout.write(`${line}\n`)
  }
  if (!command.all)
    for (const { message } of skippedJournals(home, cwd)) process.stderr.write(`${sanitize(message)}\n`)
  return 0
}

interface Listed extends SessionPlace {
  modified: Date
}

/** One that is gone, or none of ours, is left out. */
function tallied(place: SessionPlace): Tally | undefined {
  try {
    return tallyOf(entriesOf(readJournal(place).toString()))
  } catch {
    return undefined
  }
}

function asLine({ id, modified }: Listed, tally: Tally, isAll: boolean): string {
  const { title, prompts, context_tokens, model, cwd } = tally
  const facts = [
    EN.ago(Date.now() - modified.getTime()),
    plural(prompts, 'prompt'),
    ...(model === undefined ? [] : [model]),
    ...(context_tokens > 0 ? [`${count(context_tokens)} tokens`] : []),
    ...(isAll ? [cwd] : []),
  ]
  const head = title === '' ? EN.lists.empty : title
  return sanitize(`${id}  ${head}  (${facts.join(' · ')})`).replaceAll(/[\n\t]/g, ' ')
}

function asJson({ id, modified, file }: Listed, tally: Tally): string {
  const { title, cwd, model = null, prompts, turns, context_tokens, prompt_tokens, completion_tokens } = tally
  const counts = { prompts, turns, context_tokens, prompt_tokens, completion_tokens }
  return escapeJson(JSON.stringify({ id, title, cwd, model, modified, ...counts, file }))
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/** Milliseconds of `90d`. */
function ageOf(text: string): number {
  const [, number, unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? []
  if (number === undefined)
    throw new UsageError(
      `--older-than expects days, weeks or hours, such as 90d, 12w or 36h; ${JSON.stringify(text)} came`,
    )
  return Number(number) * (UNITS[unit] ?? 0)
}

/** Asks on a terminal; elsewhere --yes must have been said. */
async function remove(places: readonly SessionPlace[], { yes }: SessionsCommand): Promise<number> {
  if (places.length === 0) {
    say('There is no such session; nothing was deleted.')
    return 0
  }
  const what = places.length === 1 ? `session ${places[0]?.id}` : `${places.length} sessions`
  if (!yes && !(await isSure(what))) return 0
  let left = 0
  for (const place of places) {
    const process = removeSession(place)
    if (process === undefined) continue
    left++
    say(`Session ${place.id} is open in another gopi (process ${process}): it stays.`)
  }
  say(`Deleted ${plural(places.length - left, 'session')}.`)
  return left === 0 ? 0 : 1
}

async function isSure(what: string): Promise<boolean> {
  const { stdin: input, stderr: output } = process
  if (!input.isTTY) throw new UsageError(`nobody can be asked here; --yes deletes ${what} without asking`)
  const asking = createInterface({ input, output })
  const answer = await asking.question(`Delete ${what} for good? (y/n) `)
  asking.close()
  return /^y(es)?$/i.test(answer.trim())
}
