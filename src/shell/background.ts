/** The commands that go on while the conversation does: servers and watchers, and what the person sent there. */
import type { Where } from '../protocol/access.ts'
import type { Ongoing } from './ongoing.ts'

export interface BackgroundOptions {
  env: NodeJS.ProcessEnv
  /** The session's directory, a real path. */
  project: string
  /** Where the session's bash is. */
  cwd(): string
  /** How many run has changed. */
  changed(running: number): void
  /** One that the person sent here has ended. */
  ended(id: string, job: Ongoing): void
}

export class Background {
  #options: BackgroundOptions
  #jobs = new Map<string, Ongoing>()

  constructor(options: BackgroundOptions) {
    this.#options = options
  }

  /** Starts a command, in a process group of its own; one that was understood and only reads where it can do nothing else. → its id. */
  async start(
    command: string,
    { line = command, where }: { line?: string | undefined; where?: Where | undefined } = {},
  ): Promise<string> {
    const [{ Spawned }, { shellEnvironment }, { HARMLESS_GIT, harmlessEnvironment }] = await Promise.all([
      import('./spawned.ts'),
      import('./environment.ts'),
      import('./harmless.ts'),
    ])
    const { cwd, project } = this.#options
    const whole = shellEnvironment(this.#options.env, 'background')
    const isHarmless = where === 'harmless'
    const env = isHarmless ? harmlessEnvironment(whole, { project }) : whole
    const script = isHarmless ? `${HARMLESS_GIT}\n${line}` : line
    return this.add(new Spawned(command, { script, env, cwd: cwd() }))
  }

  /** What runs already goes on here. → its id. */
  add(job: Ongoing): string {
    const id = `b${this.#jobs.size + 1}`
    this.#jobs.set(id, job)
    this.#tell()
    void job.over.then(() => {
      this.#tell()
      if (job.isSent) this.#options.ended(id, job)
    })
    return id
  }

  get ids(): readonly string[] {
    return [...this.#jobs.keys()]
  }

  get running(): readonly (readonly [id: string, job: Ongoing])[] {
    return [...this.#jobs].filter(([, { ended }]) => ended === undefined)
  }

  /** undefined: there is none. */
  find(id: string): Ongoing | undefined {
    return this.#jobs.get(id)
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map(([, job]) => job.kill()))
  }

  #tell(): void {
    this.#options.changed(this.running.length)
  }
}
