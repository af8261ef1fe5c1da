/** Reads folders of commands: Markdown files; a folder in it is part of the name (`git/sync.md` is `/git:sync`). */
import path from 'node:path'
import { isInside } from '../../paths/inside.ts'
import { treeOf } from '../../paths/tree.ts'
import type { Told } from '../../protocol/sayings.ts'
import type { Agent } from '../../session/agent.ts'
import { told } from '../../words/sayings/told.ts'
import type { Command } from '../commands/command.ts'
import { promptCommand } from '../commands/prompt-command.ts'
import { firstParagraph, listIn, oneLine, readHeaded } from './frontmatter.ts'
import type { Narrowing } from './narrowing.ts'
import type { Root } from './roots.ts'
import { isName } from './skills.ts'

interface Around {
  narrowing: Narrowing
  /** Those that a command may name: asked for with the first that does. */
  agents(): Promise<readonly Agent[]>
}

/** `cwd`: the session's directory, out of which a project's folder must not lead. */
export async function readCommands(
  root: Root,
  { cwd, ...kit }: Around & { cwd: string },
): Promise<{ commands: Command[]; refused: Told[] }> {
  if (root.isProjects && !isInside(root.folder, cwd))
    return { commands: [], refused: [told('kit_file.link', { file: root.from, to: root.folder })] }
  const { files, links } = treeOf(root.folder)
  const inside = links.filter(({ isOutside }) => !isOutside || !root.isProjects).map(({ name }) => name)
  const out = links.filter(({ isOutside, name }) => isOutside && root.isProjects && isMarkdown(name))
  const read = await Promise.all(
    [...files, ...inside].filter(isMarkdown).map(name => readCommand(name, root, kit)),
  )
  return {
    commands: read.flatMap(one => ('problem' in one ? [] : [one])),
    refused: [
      ...out.map(({ name, to }) => told('kit_file.link', { file: path.join(root.folder, name), to })),
      ...read.flatMap(one => ('problem' in one ? [one.problem] : [])),
    ],
  }
}

const isMarkdown = (name: string): boolean => name.endsWith('.md') && !/(^|\/)[._]/.test(name)

async function readCommand(
  file: string,
  root: Root,
  { narrowing, agents }: Around,
): Promise<Command | { problem: Told }> {
  const whole = path.join(root.folder, file)
  const name = file.slice(0, -'.md'.length).split(path.sep).join(':')
  if (!name.split(':').every(isName)) return { problem: told('kit_file.name', { file: whole }) }
  const read = readHeaded(whole)
  if ('problem' in read) return read
  const { head, body, lineOf } = read
  const wrong = (field: string, expected: string) => ({
    problem: told('kit_file.field', { file: whole, line: lineOf(field), field, expected }),
  })
  if (body === '') return { problem: told('kit_file.empty', { file: whole }) }
  const { description = firstParagraph(body), 'argument-hint': hint } = head
  if (typeof description !== 'string') return wrong('description', 'TEXT')
  const allowed = head['allowed-tools'] == null ? undefined : listIn(head['allowed-tools'])
  if (head['allowed-tools'] != null && !allowed) return wrong('allowed-tools', 'Read, Bash(git *)')
  const model = modelIn(head.model)
  if (model === undefined) return wrong('model', 'the name of a model, or inherit')
  const known = head.agent == null ? [] : await agents()
  const agent = known.find(one => one.name.toLowerCase() === String(head.agent).toLowerCase())
  // What it may do hangs on who it is.
  if (head.agent != null && !agent) return wrong('agent', known.map(one => one.name).join(', '))
  return promptCommand({
    ...{ name, description: oneLine(description).slice(0, LONGEST), text: body, runs: true },
    argument: hintIn(hint),
    ...(model !== '' && { model }),
    ...(agent && { agent }),
    began: () => narrowing.begin(`/${name}`, allowed),
  })
}

/** Characters that a line of help has room for. */
const LONGEST = 200

/** `[file]` is a list to YAML, and meant as it stands. */
function hintIn(hint: unknown): string | undefined {
  if (Array.isArray(hint)) return `[${hint.join(', ')}]`
  return typeof hint === 'string' || typeof hint === 'number' ? oneLine(String(hint)) : undefined
}

/** Empty: the session's own. */
function modelIn(model: unknown): string | undefined {
  if (model == null || model === 'inherit') return ''
  return typeof model === 'string' ? model : undefined
}
