/** What a session offers, merged from its sources and frozen: what the model is told of it never changes in a session. */
import type { CallHook, RunHook } from '../agent/hooks.ts'
import type { Told } from '../protocol/sayings.ts'
import type { WireTool } from '../protocol/wire.ts'
import type { ResourceOf } from '../session/options.ts'
import { toWire } from '../tools/tool.ts'
import { told } from '../words/sayings/told.ts'
import type { Command } from './commands/command.ts'
import type { Offered, Source } from './source.ts'

export interface Kit extends Offered {
  /** The tools as the model is told about them. */
  readonly wire: readonly WireTool[]
  readonly hooks: readonly CallHook[]
  readonly steps: readonly RunHook[]
  /** What stands behind a word after `@`. */
  readonly resource: ResourceOf
  readonly resources: NonNullable<Source['resources']>
}

/** `sources`: the nearer ones later. Of two things with one name the nearer one is kept, and it is told. */
export function kitOf(sources: readonly Source[]): Kit {
  const clashes: Told[] = []
  const named = <T extends { name: string }>(kind: Kind, of: (source: Source) => readonly T[] | undefined) =>
    merged(
      kind,
      sources.map(source => ({ from: source.from, things: of(source) ?? [] })),
      clashes,
    )
  const tools = named('tool', source => source.tools)
  const kit: Kit = Object.freeze({
    tools,
    wire: Object.freeze(tools.map(toWire)),
    // Hooks have no names of their own: all of them hold.
    hooks: Object.freeze(sources.flatMap(({ hooks = [] }) => hooks)),
    steps: Object.freeze(sources.flatMap(({ steps = [] }) => steps)),
    skills: named('skill', source => source.skills),
    agents: named('agent', source => source.agents),
    clashes,
    refused: Object.freeze(sources.flatMap(({ refused = [] }) => refused)),
    resource: (word: string) => firstOf(sources, ({ resource }) => resource?.(word)),
    resources: (word: string) => firstOf(sources, ({ resources }) => resources?.(word)),
    sources,
    commands: () => mergedCommands(sources, kit),
  })
  return kit
}

function firstOf<T>(sources: readonly Source[], of: (source: Source) => T | undefined): T | undefined {
  for (const source of sources) {
    const found = of(source)
    if (found !== undefined) return found
  }
  return undefined
}

type Kind = 'tool' | 'command' | 'skill' | 'agent'

async function mergedCommands(
  sources: readonly Source[],
  kit: Kit,
): Promise<{ commands: readonly Command[]; clashes: readonly Told[] }> {
  const offers = sources.map(async ({ from, commands }) => ({ from, things: (await commands?.(kit)) ?? [] }))
  const clashes: Told[] = []
  return { commands: merged('command', await Promise.all(offers), clashes), clashes }
}

/** Names are compared without case, as rules do. One that is replaced keeps its place. */
function merged<T extends { name: string }>(
  kind: Kind,
  offers: readonly { from: string; things: readonly T[] }[],
  clashes: Told[],
): readonly T[] {
  const kept = new Map<string, { thing: T; from: string }>()
  for (const { from, things } of offers)
    for (const thing of things) {
      const key = thing.name.toLowerCase()
      const other = kept.get(key)
      if (other) clashes.push(told(`clash.${kind}`, { name: thing.name, from, other: other.from }))
      kept.set(key, { thing, from })
    }
  return Object.freeze([...kept.values()].map(({ thing }) => thing))
}
