/** A command as the prompt of `gopi -p`. */
import { existsSync } from 'node:fs'
import type { Command, Desk, Host, Place } from '../kit/commands/command.ts'
import { commandIn, helpText, noCommand, offered, perform } from '../kit/commands/obey.ts'
import { changesText } from '../kit/jobs/lines.ts'
import { UsageError } from '../protocol/errors.ts'
import { neverRun } from '../session/result.ts'
import type { RunResult, Session, TypedOptions } from '../session/session.ts'
import type { Words } from '../words/words.ts'

export interface CommandRun extends TypedOptions {
  words: Words
  commands: readonly Command[]
  place: Place
  /** A sentence for the person that is no part of the answer. */
  say(sentence: string): void
}

/**
 * What comes of a prompt that is a command; undefined: it is words for the model. Throws `UsageError` for a command that
 * needs a conversation, and for one that there is not.
 */
export function commandRun(
  session: Session,
  prompt: string,
  { words, typed, say, commands, place }: CommandRun,
): Promise<RunResult> | undefined {
  const found = commandIn(prompt, commands)
  if (!found) {
    // `-p /etc` asks about a directory.
    const problem = existsSync(prompt.trim()) ? undefined : noCommand(prompt, commands, { words })
    if (problem !== undefined) throw new UsageError(problem)
    return undefined
  }
  const { command, argument } = found
  const done = (text: string): RunResult => ({ ...neverRun, reason: 'done', text })
  let result: Promise<RunResult> | undefined
  const host: Host = {
    ...{ words, running: false, say },
    refuse(sentence) {
      throw new UsageError(sentence)
    },
    help() {
      result = Promise.resolve(done(helpText(offered(commands, host), words)))
    },
    prompt(text) {
      result = session.prompt(text, { typed })
    },
    work(job) {
      const shown: string[] = []
      let run: Promise<RunResult> | undefined
      const show = (text: string) => void shown.push(text)
      const desk: Desk = {
        ...{ session, words, place, isTyped: false, show, say, note: say, refuse: host.refuse },
        tells(title) {
          const pieces: string[] = []
          return {
            add: piece => void pieces.push(piece),
            end: (whole = pieces.join('')) => show(`${title}\n\n${whole}`.trimEnd()),
          }
        },
        showChanges: changes => show(changesText(changes, words)),
        confirm: async () => true,
        async choose(title, choices) {
          show(
            [title, ...choices.map(({ label, detail = '' }, at) => `${at + 1}  ${label}  ${detail}`)].join(
              '\n',
            ),
          )
          return undefined
        },
        prompt: (text, shown) => void (run = session.prompt(text, shown === undefined ? {} : { shown })),
        put: () => {},
        during(doing, run) {
          say(doing)
          return run(new AbortController().signal)
        },
        runs: () => ({
          signal: new AbortController().signal,
          onOutput() {},
          end: ran => show(ran?.content ?? ''),
        }),
        lend: undefined,
        end: () => host.refuse(words.notices.notInPrint(`/${command.name}`)),
      }
      result = job(desk).then(() => run ?? done(shown.join('\n')))
    },
    compact(hint) {
      result = session.compact(hint === '' ? undefined : hint).then(worked => {
        if (!worked) say(words.notices.nothingToCompact)
        return done('')
      })
    },
  }
  if (offered([command], host).length === 0)
    throw new UsageError(words.notices.notInPrint(`/${command.name}`))
  perform(command, argument, host)
  return result
}
