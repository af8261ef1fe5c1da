/** The servers of a session: what each offered when it was last seen, which is what holds, and what it says now. */
import type { Memory } from '../protocol/memory.ts'
import type { Told } from '../protocol/sayings.ts'
import { told } from '../words/sayings/told.ts'
import type { ServerEntry } from './entry.ts'
import type { ClientRoom, Target } from './link.ts'
import { type LeftOut, markedSince, type Offer, offerKey, readOffer } from './offer.ts'
import { Server } from './server.ts'

export interface Configured {
  name: string
  /** As written: what it offers is remembered by this. */
  written: ServerEntry
  /** With its variables filled in. */
  entry: ServerEntry
  /** The file that names it. */
  from: string
}

export interface ServersOptions {
  /** Where its programs run, unless their entries say otherwise. */
  cwd: string
  /** What its programs are given besides what their entries say. */
  env: Readonly<Record<string, string>>
  memory: Memory
  load(): Promise<ClientRoom>
  pause?(restart: number): number
}

export interface Known extends Pick<Configured, 'name' | 'written' | 'from'> {
  server: Server
  /** As of the last time that it was seen; undefined: never. It holds for the session. */
  offer: Offer | undefined
  /** What it offers now, once it has said so. */
  now: Offer | undefined
  left: readonly LeftOut[]
  /** The person lets a tool run, as it is now: by the server's own name for it. */
  allowed(tool: string): void
}

export class Servers {
  readonly all: readonly Known[]
  /** The chunk with the client package, once it is there. */
  room: ClientRoom | undefined
  #options: ServersOptions
  #tell: (notice: Told) => void = () => {}

  constructor(configured: readonly Configured[], options: ServersOptions) {
    this.#options = options
    this.all = configured.map(one => this.#known(one))
  }

  /** The chunk with the client package: it takes its time. */
  async load(): Promise<ClientRoom> {
    this.room ??= await this.#options.load()
    return this.room
  }

  /** What they have to say goes there from now on. */
  listen(tell: (notice: Told) => void): void {
    this.#tell = tell
  }

  /** Resolves when each has answered, or cannot. */
  async begin(): Promise<void> {
    await Promise.all(this.all.map(({ server }) => server.begin()))
  }

  async close(): Promise<void> {
    this.#tell = () => {}
    await Promise.all(this.all.map(({ server }) => server.close()))
  }

  #known({ name, written, entry, from }: Configured): Known {
    const { memory, pause } = this.#options
    const key = offerKey(name, written)
    const before = memory.recall(key)
    const only = entry.tools
    const remembered = before === undefined ? undefined : readOffer(before, { only })
    const known: Known = {
      ...{ name, written, from, offer: remembered?.offer, now: undefined, left: remembered?.left ?? [] },
      allowed(tool) {
        const offer = known.now ?? known.offer
        const found = offer?.tools.find(({ name }) => name === tool)
        if (!offer || !found?.changed) return
        delete found.changed
        memory.keep(key, offer)
      },
      server: new Server({
        ...{ name, only, timeout: entry.timeout, target: this.#targetOf(entry) },
        ...(pause && { pause }),
        load: () => this.load(),
        onOffer: (said, left) => {
          const last = known.now ?? known.offer
          const offer = last ? markedSince(said, last) : said
          if (JSON.stringify(last) !== JSON.stringify(offer)) {
            memory.keep(key, offer)
            this.#tell(changed(known, offer))
          }
          if (left.length > 0 && known.now === undefined)
            this.#tell(told('mcp.left', { server: name, tools: few(left.map(shownLeft)) }))
          known.now = offer
          known.left = left
        },
        onDead: why => this.#tell(told('mcp.dead', { server: name, why })),
      }),
    }
    return known
  }

  #targetOf({ url, headers = {}, command = '', args = [], env = {}, cwd }: ServerEntry): Target {
    if (url !== undefined) return { url, headers }
    return { command, args, cwd: cwd ?? this.#options.cwd, env: { ...this.#options.env, ...env } }
  }
}

/** Of a long list its beginning. */
const few = (names: readonly string[]) => (names.length > 10 ? [...names.slice(0, 10), '…'] : names)

const shownLeft = ({ name, why }: LeftOut) => (name === '' ? why : `${name} (${why})`)

function changed({ name, now, offer: before }: Known, offer: Offer): Told {
  const known = now ?? before
  if (!known) return told('mcp.first', { server: name, tools: offer.tools.length })
  const names = ({ tools }: Offer) => tools.map(tool => tool.name)
  const added = names(offer).filter(tool => !names(known).includes(tool))
  const gone = names(known).filter(tool => !names(offer).includes(tool))
  return told('mcp.changed', { server: name, added: few(added), gone: few(gone) })
}
