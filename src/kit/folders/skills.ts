/** Reads folders of skills: each is a folder with a `SKILL.md`. What is wrong with one is a sentence, and it is left out. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { isInside } from '../../paths/inside.ts'
import { realTarget } from '../../paths/real.ts'
import { treeOf } from '../../paths/tree.ts'
import type { Told } from '../../protocol/sayings.ts'
import { told } from '../../words/sayings/told.ts'
import type { Skill } from '../source.ts'
import { firstParagraph, listIn, oneLine, readHeaded } from './frontmatter.ts'
import type { Root } from './roots.ts'

export interface ReadSkills {
  skills: Skill[]
  refused: Told[]
}

/** `cwd`: the session's directory, out of which a project's folder must not lead. */
export function readSkills(root: Root, cwd: string): ReadSkills {
  const read: ReadSkills = { skills: [], refused: [] }
  for (const { name } of foldersIn(root.folder)) {
    const folder = realTarget(path.join(root.folder, name))
    if (!existsSync(path.join(folder, 'SKILL.md'))) continue
    const skill = readSkill(folder, { name, root, cwd })
    if ('problem' in skill) read.refused.push(skill.problem)
    else read.skills.push(skill)
  }
  return read
}

const foldersIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(entry => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

function readSkill(
  folder: string,
  { name: called, root, cwd }: { name: string; root: Root; cwd: string },
): Skill | { problem: Told } {
  const file = path.join(folder, 'SKILL.md')
  const link = root.isProjects && !isInside(folder, cwd) ? { name: '.', to: folder } : linkOut(folder)
  if (link) return { problem: told('kit_file.link', { file: path.join(folder, link.name), to: link.to }) }
  const read = readHeaded(file)
  if ('problem' in read) return read
  const { head, body, lineOf } = read
  const wrong = (field: string, expected: string) => ({
    problem: told('kit_file.field', { file, line: lineOf(field), field, expected }),
  })
  const { name = called, description = firstParagraph(body) } = head
  if (typeof name !== 'string' || !isName(name)) return wrong('name', 'letters, digits, - and _')
  if (typeof description !== 'string') return wrong('description', 'TEXT')
  if (oneLine(description) === '') return { problem: told('kit_file.empty', { file }) }
  const list = head['allowed-tools'] ?? undefined
  const allowed = list === undefined ? undefined : listIn(list)
  if (list !== undefined && allowed === undefined) return wrong('allowed-tools', 'Read, Bash(git *)')
  return {
    name,
    description: oneLine(description).slice(0, LONGEST_DESCRIPTION),
    file,
    body,
    ...(allowed && { allowed }),
    ...(head['disable-model-invocation'] === true && { isHidden: true }),
  }
}

/** The format's own limit. */
const LONGEST_DESCRIPTION = 1_024

/** A link by which a skill would bring what lies elsewhere. */
const linkOut = (folder: string) => treeOf(folder).links.find(({ isOutside }) => isOutside)

/** What can be typed behind a slash, and stand in a rule. */
export const isName = (name: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name)
