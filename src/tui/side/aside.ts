/** Looks after the side column of one session: nothing is loaded or counted for it where it has no room. */
import type { Place } from '../../kit/commands/command.ts'
import type { Source } from '../../kit/source.ts'
import type { SessionEvent } from '../../protocol/events.ts'
import type { Session } from '../../session/session.ts'
import type { App } from '../app.ts'
import type { Counted, Trail } from './facts.ts'
import { hasSide, type Side } from './side.ts'

export interface AsideOptions {
  place: Pick<Place, 'cwd' | 'instructions'>
  /** The model as the server has it loaded; undefined: it is not, or nobody can tell. */
  modelState(): Promise<{ size?: number; gpu?: number } | undefined>
  /** What the session offers comes from them; of those that change by themselves it is shown how they are. */
  sources: readonly Pick<Source, 'states' | 'watch'>[]
}

export class Aside {
  #app: App
  #session: Session
  #options: AsideOptions
  /** Kept along from the first look on. */
  #kept: { trail: Trail; counted: Counted } | undefined
  #memory: Side['memory']
  #servers: AsideOptions['sources']
  #isOver = false

  constructor(app: App, session: Session, options: AsideOptions) {
    this.#app = app
    this.#session = session
    this.#options = options
    this.#servers = options.sources.filter(({ watch }) => watch)
    for (const server of this.#servers) server.watch?.(() => void this.look())
  }

  /** Another session follows. */
  stop(): void {
    this.#isOver = true
  }

  happened(event: SessionEvent): void {
    if (event.type === 'message') this.#kept?.trail.take(event)
    // Another conversation than before: it is read again.
    if (event.type === 'rewind') this.#kept = undefined
    if (event.type === 'agent_end' || event.type === 'compaction') this.#kept?.counted.forget()
    if (!SHOWN.has(event.type)) return
    if (event.type === 'agent_end' || event.type === 'read_ahead') void this.lookWell()
    else void this.look()
  }

  /** Also at what the server has in memory. */
  async lookWell(): Promise<void> {
    if (!hasSide(this.#app.state)) return
    const loaded = await this.#options.modelState().catch(() => undefined)
    this.#memory = loaded?.size === undefined ? undefined : { size: loaded.size, gpu: loaded.gpu ?? 0 }
    await this.look()
  }

  async look(): Promise<void> {
    if (!hasSide(this.#app.state)) return
    const { trail, counted } = await this.#facts()
    const { instructions } = this.#options.place
    const side: Side = {
      files: trail.files,
      todo: trail.todo,
      parts: counted.parts(this.#app.words, instructions),
      running: this.#session.background?.running.map(([, { command }]) => command) ?? [],
      servers: this.#servers.flatMap(server => server.states?.() ?? []),
      ...(this.#memory && { memory: this.#memory }),
    }
    if (!this.#isOver) this.#app.change(state => ({ ...state, side }))
  }

  /** What a file was changed by, to be read: of several files one is chosen first. */
  async showChanges(): Promise<void> {
    const app = this.#app
    const { trail } = await this.#facts()
    const changed = trail.files.filter(({ diffs }) => diffs.length > 0)
    if (changed.length === 0) return app.hint(app.words.doing.diff.nothing)
    const items = changed.map(({ path, added, removed }) => ({
      ...{ id: path, label: path, detail: `+${added} −${removed}` },
    }))
    const path =
      changed.length === 1 ? changed[0]?.path : await app.asking.pick(app.words.side.whichChange, items)
    const file = changed.find(one => one.path === path)
    if (!file) return
    const panel = { type: 'diff', path: file.path, diff: file.diffs.join('\n'), top: 0 } as const
    app.change(state => ({ ...state, panel }), { now: true })
  }

  async #facts(): Promise<{ trail: Trail; counted: Counted }> {
    const { Counted, trailOf } = await import('./facts.ts')
    this.#kept ??= {
      trail: trailOf(this.#session, this.#options.place.cwd),
      counted: new Counted(this.#session),
    }
    return this.#kept
  }
}

/** After these there is something else to show. */
const SHOWN: ReadonlySet<SessionEvent['type']> = new Set([
  'message',
  'agent_end',
  'compaction',
  'rewind',
  'background',
  'read_ahead',
])
