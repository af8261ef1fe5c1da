/** `/rewind`, `/undo`, `/redo`: back to before a prompt, and forward again. What happens to files is shown first. */
import type { EarlierPrompt, RewindPlan, Scope } from '../../session/going-back.ts'
import type { Desk, Work } from '../commands/command.ts'
import { cut, firstLine, shownIn } from './lines.ts'

const SCOPES: readonly Scope[] = ['both', 'conversation', 'files']

export const undo: Work = desk => rewind(desk, '1 both')

export async function redo(desk: Desk): Promise<void> {
  const { rewind: words } = desk.words.doing
  const done = await desk.session.back.redo()
  if (!done) return desk.say(words.nothingToRedo)
  const left = linesOf({ files: done.plans.filter(({ move }) => !move), lost: nothing }, desk)
  if (left.length > 0) desk.show(left.join('\n'))
  desk.say(words.redone(done.files.length))
}

const nothing: RewindPlan['lost'] = { paths: [], more: 0 }

/** `argument`: which prompt, counted from the last, and what goes back; what is missing is asked. */
export async function rewind(desk: Desk, argument: string): Promise<void> {
  const { rewind: words } = desk.words.doing
  const { back } = desk.session
  const prompts = await back.prompts()
  if (prompts.length === 0) return desk.say(words.none)
  const [number = '', wanted = ''] = argument.split(/\s+/)
  const prompt = number === '' ? await chosen(desk, prompts) : prompts[Number(number) - 1]
  if (!prompt) return number === '' ? undefined : desk.refuse(words.noSuch(number, prompts.length))
  const plan = await back.preview(prompt)
  const scope = SCOPES.find(name => name === wanted) ?? (await scopeOf(desk, plan))
  if (!scope) return
  const shown = scope === 'conversation' ? { files: [], lost: nothing } : plan
  const lines = linesOf(shown, desk)
  const head = words.title(firstLine(prompt.text), scope !== 'files')
  const text = [head, ...(lines.length === 0 && scope !== 'conversation' ? [words.noFiles] : lines)].join(
    '\n',
  )
  if (!(await desk.confirm(words.confirm, text))) return
  const files = await back.rewind(prompt, { scope, plan: shown })
  desk.say(words.done(files.length))
  if (scope !== 'files') desk.put(prompt.text)
}

function chosen(desk: Desk, prompts: readonly EarlierPrompt[]): Promise<EarlierPrompt | undefined> {
  const { rewind: words } = desk.words.doing
  const choices = prompts.map(({ id, text }, at) => ({
    id,
    label: firstLine(text),
    detail: words.ago(at + 1),
  }))
  return desk.choose(words.which, choices).then(id => prompts.find(prompt => prompt.id === id))
}

async function scopeOf(desk: Desk, { files }: RewindPlan): Promise<Scope | undefined> {
  if (!files.some(({ move }) => move)) return 'both'
  const { rewind: words } = desk.words.doing
  const choices = SCOPES.map(id => ({ id, label: words[id] }))
  const id = await desk.choose(words.what, choices)
  return SCOPES.find(scope => scope === id)
}

/** What would become of files, a line each, then how. */
function linesOf({ files, lost }: RewindPlan, { words, place }: Pick<Desk, 'words' | 'place'>): string[] {
  const said = words.doing.rewind
  const short = (file: string) => shownIn(file, place.cwd)
  const heads = files.map(({ path, does, diff }) =>
    does === 'restore'
      ? said.restore({
          path: short(path),
          added: String(diff?.added ?? 0),
          removed: String(diff?.removed ?? 0),
        })
      : said[does](short(path)),
  )
  const more = lost.more === 0 ? [] : [said.more(lost.more)]
  const others = [...lost.paths.map(file => `  ${short(file)}`), ...more]
  const diffs = files.flatMap(({ path, diff }) =>
    diff && diff.diff !== '' ? ['', short(path), ...cut(diff.diff.trimEnd().split('\n'), words)] : [],
  )
  return [...heads, ...(others.length === 0 ? [] : [said.lost, ...others]), ...diffs]
}
