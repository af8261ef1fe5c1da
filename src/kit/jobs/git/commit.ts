/**
 * `/commit`: a message from what is staged, in the repository's own manner, which the person sees and changes; then
 * their git commits, with its hooks. `-m TEXT` commits with that message.
 */
import prompt from '../../../../prompts/commit.md'
import hook from '../../../../prompts/hook.md'
import { fill } from '../../../text/fill.ts'
import { ownGit } from '../../../tools/git/run.ts'
import type { Desk } from '../../commands/command.ts'
import { cut } from '../lines.ts'
import { plainAnswer, sideOf } from './ask.ts'
import { DIFF, filesIn, piecesOf } from './diff-text.ts'
import { GitError, namesIn, type Repository, repositoryAt } from './repository.ts'

export async function commit(desk: Desk, argument: string): Promise<void> {
  try {
    await committed(desk, argument)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    desk.refuse(desk.words.doing.git.failed(error.message))
  }
}

async function committed(desk: Desk, argument: string): Promise<void> {
  const { git: said } = desk.words.doing
  const repository = await repositoryAt(desk)
  if (!repository) return
  const { unmerged, read } = repository
  if (unmerged.length > 0) return desk.refuse(said.unmerged(unmerged))
  if (!(await staged(desk, repository))) return
  const [, given] = /^-m\s+([\s\S]+)$/.exec(argument) ?? []
  const message = given ?? (await proposed(desk, repository, argument))
  if (message === undefined) return
  if (message === '') return desk.refuse(said.noMessage)
  const stat = (await read(['diff', '--cached', '--stat', '--no-color'])).text.trimEnd().split('\n')
  desk.show([message, '', ...cut(stat, desk.words)].join('\n'))
  const how = given === undefined && desk.isTyped ? await chosen(desk) : 'commit'
  if (how === 'change') return desk.put(`/commit -m ${message}`)
  if (how === 'commit' || how === 'editor') await run(desk, repository, { message, edits: how === 'editor' })
}

/** Something is staged, or the person has it staged now. */
async function staged(desk: Desk, { root, read }: Repository): Promise<boolean> {
  const { git: said } = desk.words.doing
  const isStaged = async () => namesIn(await read(['diff', '--cached', '--name-only', '-z'])).length > 0
  if (await isStaged()) return true
  const changed = namesIn(await read(['diff', '--name-only', '-z']))
  const fresh = namesIn(await read(['ls-files', '--others', '--exclude-standard', '-z']))
  if (changed.length + fresh.length === 0) {
    desk.say(said.nothing)
    return false
  }
  const lines = [...changed.map(name => `  ${name}`), ...fresh.map(name => `  ${name}  ${said.fresh}`)]
  desk.show([said.unstaged, ...cut(lines, desk.words)].join('\n'))
  if (!desk.isTyped) {
    desk.refuse(said.stageFirst)
    return false
  }
  const id = await desk.choose(said.which, [
    ...(changed.length > 0 ? [{ id: 'known', label: said.stageKnown(changed.length) }] : []),
    ...(fresh.length > 0 ? [{ id: 'all', label: said.stageAll(changed.length + fresh.length) }] : []),
    { id: 'none', label: said.stageNone },
  ])
  if (id !== 'known' && id !== 'all') return false
  const { code, text } = await ownGit(['add', id === 'known' ? '--update' : '--all'], { cwd: root })
  if (code !== 0) throw new GitError(text.trim())
  return isStaged()
}

async function proposed(desk: Desk, repository: Repository, hint: string): Promise<string | undefined> {
  const { git: said } = desk.words.doing
  const { read, isEmpty } = repository
  const side = await sideOf(desk)
  const log = isEmpty
    ? ''
    : (await read(['log', '-n', '12', '--format=%s', '--no-show-signature'])).text.trim()
  const stat = (await read(['diff', '--cached', '--stat=100', '--no-color'])).text.trimEnd()
  const { text } = await read(['diff', '--cached', ...DIFF])
  const [diff = '', ...more] = piecesOf(filesIn(text), { ...side, room: Math.floor(side.room * 0.8) })
  if (more.length > 0) desk.note(said.partOnly)
  const lines = stat.split('\n')
  const answer = await side.ask(
    fill(prompt, {
      log,
      stat: lines.length > 60 ? [...lines.slice(0, 59), lines.at(-1)].join('\n') : stat,
      hint,
      diff,
    }).trim(),
    said.writing,
  )
  return answer === undefined ? undefined : plainAnswer(answer)
}

async function chosen(desk: Desk): Promise<string | undefined> {
  const { git: said } = desk.words.doing
  return desk.choose(said.how, [
    { id: 'commit', label: said.commit },
    { id: 'change', label: said.change },
    ...(desk.lend ? [{ id: 'editor', label: said.editor }] : []),
    { id: 'leave', label: said.leave },
  ])
}

/** What a failing hook says goes to the model, once: it may mend it, and /commit is the person's again. */
async function run(
  desk: Desk,
  { root, read }: Repository,
  { message, edits }: { message: string; edits: boolean },
): Promise<void> {
  const { git: said } = desk.words.doing
  const signs = (await read(['config', '--type=bool', '--default=false', '--get', 'commit.gpgsign'])).text
  const args = ['commit', ...(edits ? ['--edit'] : []), '-m', message]
  // A signature may ask for its passphrase.
  const onTerminal = desk.lend !== undefined && (edits || signs.trim() === 'true')
  const { code, text } =
    onTerminal && desk.lend
      ? await desk.lend(() => ownGit(args, { cwd: root, terminal: true }))
      : await ownGit(args, { cwd: root })
  if (code === 0) {
    const made = await read(['log', '-n', '1', '--format=%h %s', '--no-show-signature'])
    return desk.say(said.done(made.text.trim()))
  }
  const why = text.trim()
  desk.show(why === '' ? said.notCommitted : `${said.notCommitted}\n${why}`)
  if (why !== '' && !edits) desk.prompt(fill(hook, { message, output: why }).trim(), '/commit')
}
