/** `/pr-message [base]`: title and description of a pull request for this branch. Nothing is sent anywhere. */
import prompt from '../../../../prompts/pr-message.md'
import { fill } from '../../../text/fill.ts'
import type { Desk } from '../../commands/command.ts'
import { plainAnswer, sideOf } from './ask.ts'
import { DIFF, filesIn, piecesOf } from './diff-text.ts'
import { commitNamed, GitError, repositoryAt, usualBase } from './repository.ts'

export async function prMessage(desk: Desk, argument: string): Promise<void> {
  const { git: said } = desk.words.doing
  const repository = await repositoryAt(desk)
  if (!repository || repository.isEmpty) return
  const name = argument === '' ? await usualBase(repository) : argument
  const base = name === undefined ? undefined : await commitNamed(name, repository)
  if (name === undefined || base === undefined)
    return desk.refuse(name === undefined ? said.noBase : said.noCommit(name))
  const { read } = repository
  try {
    const range = `${base}..HEAD`
    const log = (await read(['log', '-n', '60', '--format=%s%n%b', '--no-show-signature', range])).text.trim()
    if (log === '') return desk.say(said.nothingSince(name))
    const side = await sideOf(desk)
    const stat = (await read(['diff', '--stat=100', '--no-color', `${base}...HEAD`])).text.trimEnd()
    const { text } = await read(['diff', ...DIFF, `${base}...HEAD`])
    const [diff = '', ...more] = piecesOf(filesIn(text), { ...side, room: Math.floor(side.room * 0.7) })
    if (more.length > 0) desk.note(said.partOnly)
    const answer = await side.ask(
      fill(prompt, { log: log.slice(0, 4_000), stat: stat.slice(-4_000), diff }).trim(),
      said.writing,
    )
    if (answer !== undefined) desk.show(plainAnswer(answer))
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    desk.refuse(said.failed(error.message))
  }
}
