/** Reads folders of agents: Markdown files, whose text is what the agent is told. What is wrong with one is a sentence, and it is left out. */
import path from 'node:path'
import { isInside } from '../../paths/inside.ts'
import { treeOf } from '../../paths/tree.ts'
import type { PermissionMode } from '../../protocol/events.ts'
import type { Told } from '../../protocol/sayings.ts'
import { THINK } from '../../protocol/wire.ts'
import { ruleProblem } from '../../rules/rule.ts'
import type { Agent } from '../../session/agent.ts'
import { isRecord } from '../../text/record.ts'
import { told } from '../../words/sayings/told.ts'
import { commonName, namesOf } from '../tool-names.ts'
import { firstParagraph, listIn, oneLine, readHeaded } from './frontmatter.ts'
import type { Root } from './roots.ts'

const OWN = ['bash', 'read', 'edit', 'write', 'grep', 'find', 'ls', 'todo', 'task', 'skill']
const MODES: readonly string[] = ['ask', 'auto-edit', 'plan', 'yolo'] satisfies PermissionMode[]
const LONGEST_DESCRIPTION = 200

/** `cwd`: the session's directory, out of which a project's folder must not lead. */
export function readAgents(root: Root, cwd: string): { agents: Agent[]; refused: Told[] } {
  if (root.isProjects && !isInside(root.folder, cwd))
    return { agents: [], refused: [told('kit_file.link', { file: root.from, to: root.folder })] }
  const { files, links } = treeOf(root.folder)
  const inside = links.filter(({ isOutside }) => !isOutside || !root.isProjects).map(({ name }) => name)
  const read = [...files, ...inside]
    .filter(name => /^[^._/][^/]*\.md$/.test(name))
    .map(name => readAgent(path.join(root.folder, name)))
  return {
    agents: read.flatMap(one => ('problem' in one ? [] : [one])),
    refused: read.flatMap(one => ('problem' in one ? [one.problem] : [])),
  }
}

type Reader = (value: unknown) => Partial<Agent> | undefined

const number =
  (from: number, to: number, make: (value: number) => Partial<Agent>): Reader =>
  value =>
    typeof value === 'number' && value >= from && value <= to ? make(value) : undefined

/** What each field takes, for a sentence about it. */
const FIELDS: Readonly<Record<string, { expected: string; read: Reader }>> = {
  model: {
    expected: 'the name of a model, or inherit',
    read: value =>
      typeof value !== 'string' ? undefined : value === 'inherit' || value === '' ? {} : { model: value },
  },
  tools: {
    expected: OWN.map(commonName).join(', '),
    read: value => {
      const names = listIn(value)
      return names && { tools: names.map(own) }
    },
  },
  permission: { expected: `${MODES.join(', ')}, or lists of rules (mode, ask, deny)`, read: permission },
  max_turns: {
    expected: 'a whole number from 1',
    read: value => (Number.isInteger(value) && Number(value) > 0 ? { max_turns: Number(value) } : undefined),
  },
  temperature: {
    expected: 'a number from 0 to 2',
    read: number(0, 2, temperature => ({ options: { temperature } })),
  },
  top_p: { expected: 'a number from 0 to 1', read: number(0, 1, top_p => ({ options: { top_p } })) },
  think: {
    expected: THINK.join(', '),
    read: value => {
      const level = THINK.find(name => name === (value === true ? 'on' : value === false ? 'off' : value))
      return level && { think: level === 'off' ? false : level === 'on' ? true : level }
    },
  },
}

function readAgent(file: string): Agent | { problem: Told } {
  const read = readHeaded(file)
  if ('problem' in read) return read
  const { head, body, lineOf } = read
  const wrong = (field: string, expected: string) => ({
    problem: told('kit_file.field', { file, line: lineOf(field), field, expected }),
  })
  const { name = path.basename(file, '.md'), description = firstParagraph(body) } = head
  if (typeof name !== 'string' || !/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name))
    return wrong('name', 'letters, digits, - and _')
  if (typeof description !== 'string') return wrong('description', 'TEXT')
  if (body === '') return { problem: told('kit_file.empty', { file }) }
  const agent: Agent = { name, description: oneLine(description).slice(0, LONGEST_DESCRIPTION), prompt: body }
  for (const [field, { expected, read: take }] of Object.entries(FIELDS)) {
    const value = head[field]
    if (value === undefined || value === null) continue
    const taken = take(value)
    if (!taken) return wrong(field, expected)
    Object.assign(agent, taken, taken.options && { options: { ...agent.options, ...taken.options } })
  }
  return agent
}

/** Our name for what a person calls a tool. */
const own = (name: string): string =>
  OWN.find(tool => namesOf(tool).some(one => one.toLowerCase() === name.toLowerCase())) ?? name.toLowerCase()

/** A mode, or what it may do less than the session; there is nothing by which it could do more. */
function permission(value: unknown): Partial<Agent> | undefined {
  const { mode, ask = [], deny = [], ...rest } = isRecord(value) ? value : { mode: value }
  const isMode = (name: unknown): name is PermissionMode => typeof name === 'string' && MODES.includes(name)
  if (Object.keys(rest).length > 0 || (mode !== undefined && !isMode(mode))) return undefined
  if (![ask, deny].every(isRules)) return undefined
  return {
    permission: { ...(mode !== undefined && { mode }), ask: ask as string[], deny: deny as string[] },
  }
}

const isRules = (list: unknown): boolean =>
  Array.isArray(list) && list.every(rule => typeof rule === 'string' && ruleProblem(rule, OWN) === undefined)
