/** `/diff`: everything that this session changed; whole files and parts of them can be put back. */
import type { FilePlan } from '../../session/restore.ts'
import { hunksOf } from '../../text/hunks.ts'
import type { Choice, Desk } from '../commands/command.ts'
import { countsOf, shownIn } from './lines.ts'

export async function diff(desk: Desk): Promise<void> {
  const { diff: said } = desk.words.doing
  const { back } = desk.session
  for (let isFirst = true; ; isFirst = false) {
    const { files, lost } = await back.changed()
    const short = (file: string) => shownIn(file, desk.place.cwd)
    const others = [...files.filter(({ diff }) => !diff).map(({ path }) => path), ...lost.paths]
    const known = files.flatMap(file => (file.diff ? [{ ...file, diff: file.diff }] : []))
    if (isFirst) {
      if (known.length > 0) desk.showChanges(known.map(({ path, diff }) => ({ path: short(path), diff })))
      if (others.length > 0) desk.show([said.others, ...others.map(file => `  ${short(file)}`)].join('\n'))
      if (files.length === 0 && others.length === 0) desk.show(said.nothing)
    }
    if (!desk.isTyped || known.length === 0) return
    const path = await desk.choose(
      said.which,
      known.map(file => ({ id: file.path, label: short(file.path), detail: countsOf(file.diff) })),
    )
    const file = known.find(one => one.path === path)
    if (!file) return
    await revert(desk, file)
  }
}

async function revert(desk: Desk, file: FilePlan): Promise<void> {
  const { diff: said } = desk.words.doing
  const { back } = desk.session
  const texts = await back.textsOf(file.path)
  const hunks = texts ? hunksOf(texts.before, texts.now) : []
  const choices: Choice[] = [
    ...(file.move ? [{ id: 'all', label: said.all }] : []),
    ...(hunks.length > 1 || !file.move
      ? hunks.map(({ head, first }, at) => ({ id: String(at), label: `${said.part} ${head}`, detail: first }))
      : []),
    { id: 'keep', label: said.keep },
  ]
  const id = await desk.choose(shownIn(file.path, desk.place.cwd), choices)
  if (id === undefined || id === 'keep') return
  const isDone =
    id === 'all' ? await back.revert(file) : await back.revertTo(file.path, texts, hunks[Number(id)]?.without)
  desk.say(isDone ? said.done : said.changed)
}
