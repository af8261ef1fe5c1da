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
import { loadWords } from '../words/language.ts'
import type { Reports } from '../words/reports-en.ts'
import type { Words } from '../words/words.ts'
import type { SessionsCommand } from './args.ts'
import { languageAnyway, reportsIn } from './reports.ts'
import { say } from './say.ts'

export async function sessionsCommand(command: SessionsCommand): Promise<number> {
  const [home, cwd] = [gopiHome(process.env), realpathSync(process.cwd())]
  const directories = sessionDirectories(home, command.all ? undefined : cwd)
  const language = await languageAnyway(command)
  const words = (await reportsIn(language)).sessions
  if (command.verb === 'delete')
    return remove([findSession(sessionsDirectory(home, cwd), command.id ?? '')], { command, words })
  if (command.verb === 'prune')
    return remove(sessionsBefore(directories, Date.now() - ageOf(command.olderThan ?? '')), {
      command,
      words,
    })
  return list(directories, { command, home, cwd, words, all: await loadWords(language) })
}

interface Look {
  command: SessionsCommand
  home: string
  cwd: string
  words: Reports['sessions']
  /** Those of faces, too. */
  all: Words
}

function list(directories: readonly string[], { command, home, cwd, words, all }: Look): number {
  const found = directories.flatMap(listSessions).sort((a, b) => b.modified.getTime() - a.modified.getTime())
  if (found.length === 0) process.stderr.write(`${command.all ? words.noneAtAll : words.none}\n`)
  for (const session of found) {
    const tally = tallied(session)
    if (!tally) continue
    const line = command.json
      ? asJson(session, tally)
      : asLine(session, tally, { words: all, isAll: command.all === true })
    process.stdout.write(`${line}\n`)
  }
  if (!command.all)
    for (const skipped of skippedJournals(home, cwd)) process.stderr.write(`${sanitize(all.say(skipped))}\n`)
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

function asLine(
  { id, modified }: Listed,
  tally: Tally,
  { words, isAll }: { words: Words; isAll: boolean },
): string {
  const { title, prompts, context_tokens, model, cwd } = tally
  const facts = [
    words.ago(Date.now() - modified.getTime()),
    words.lists.prompts(prompts),
    ...(model === undefined ? [] : [model]),
    ...(context_tokens > 0 ? [words.tokens(context_tokens)] : []),
    ...(isAll ? [cwd] : []),
  ]
  const head = title === '' ? words.lists.empty : title
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
async function remove(
  places: readonly SessionPlace[],
  { command: { yes }, words }: Pick<Look, 'command' | 'words'>,
): Promise<number> {
  if (places.length === 0) {
    say(words.noSuch)
    return 0
  }
  if (!yes && !(await isSure(places, words))) return 0
  let left = 0
  for (const place of places) {
    const process = removeSession(place)
    if (process === undefined) continue
    left++
    say(words.isOpen(place.id, process))
  }
  say(words.deleted(places.length - left))
  return left === 0 ? 0 : 1
}

async function isSure(places: readonly SessionPlace[], words: Look['words']): Promise<boolean> {
  const { stdin: input, stderr: output } = process
  const [first] = places
  const isOne = places.length === 1 && first !== undefined
  if (!input.isTTY) {
    const what = isOne ? `session ${first.id}` : `${places.length} sessions`
    throw new UsageError(`nobody can be asked here; --yes deletes ${what} without asking`)
  }
  const asking = createInterface({ input, output })
  const answer = await asking.question(words.sure(isOne ? words.one(first.id) : words.several(places.length)))
  asking.close()
  return /^y(es)?$/i.test(answer.trim())
}
