/** Everything that a session has loaded: from where, what it costs of every prompt, and what was left out. */
import type { Told } from '../protocol/sayings.ts'
import { toWire } from '../tools/tool.ts'
import type { Words } from '../words/words.ts'
import type { Offered, State } from './source.ts'

export interface Loaded {
  name: string
  from: string
  /** Of every prompt: an estimate, four characters to a token. 0: it stands in no prompt. */
  tokens: number
}

export interface KitView {
  tools: Loaded[]
  commands: Loaded[]
  skills: Loaded[]
  agents: Loaded[]
  states: (State & { from: string })[]
  refused: Told[]
}

export async function kitView(kit: Offered): Promise<KitView> {
  const { sources } = kit
  const { commands, clashes } = await kit.commands()
  const offers = await Promise.all(
    sources.map(async source => ({ ...source, commands: (await source.commands?.(kit)) ?? [] })),
  )
  type Kind = 'tools' | 'commands' | 'skills' | 'agents'
  const loaded = (kind: Kind, things: readonly { name: string }[], tokens: (name: string) => number) =>
    things.map(({ name }): Loaded => {
      const has = (source: (typeof offers)[number]) =>
        source[kind]?.some(thing => thing.name.toLowerCase() === name.toLowerCase())
      return { name, from: offers.findLast(has)?.from ?? '', tokens: tokens(name) }
    })
  const toolTokens = new Map(
    kit.tools.map(tool => [tool.name, Math.ceil(JSON.stringify(toWire(tool).function).length / 4)]),
  )
  return {
    tools: loaded('tools', kit.tools, name => toolTokens.get(name) ?? 0),
    commands: loaded('commands', commands, () => 0),
    skills: loaded('skills', kit.skills, () => 0),
    agents: loaded('agents', kit.agents, () => 0),
    states: sources.flatMap(({ from, states }) => (states?.() ?? []).map(state => ({ ...state, from }))),
    refused: [...kit.clashes, ...clashes, ...kit.refused],
  }
}

/** For a person to read. Commands of gopi itself stand in the help. */
export function kitText(view: KitView, words: Words): string {
  const { kit } = words
  const rows = (title: string, things: readonly Loaded[]) =>
    things.length === 0
      ? []
      : [
          title,
          ...things.map(({ name, from, tokens }) =>
            [`  ${name}`, from, ...(tokens > 0 ? [kit.tokens(tokens)] : [])].join(' · '),
          ),
        ]
  const states = view.states.map(({ name, state, ms }) => {
    const shown = (kit.states as Readonly<Record<string, string>>)[state] ?? state
    return [`  ${name}`, shown, ...(ms === undefined ? [] : [kit.milliseconds(ms)])].join(' · ')
  })
  return [
    ...rows(
      `${kit.tools} (${kit.tokens(view.tools.reduce((sum, { tokens }) => sum + tokens, 0))})`,
      view.tools,
    ),
    ...rows(
      kit.commands,
      view.commands.filter(({ from }) => from !== 'gopi'),
    ),
    ...rows(kit.skills, view.skills),
    ...rows(kit.agents, view.agents),
    ...(states.length > 0 ? [kit.running, ...states] : []),
    ...(view.refused.length > 0
      ? [kit.refused, ...view.refused.map(notice => `  ${words.say(notice)}`)]
      : []),
  ].join('\n')
}
