/**
 * The bashes of a session, one for each place where a line may run: the persistent one; one that runs lines which only
 * read, each in a child; one in each sandbox. All share the session's directory. What the persistent one exports goes into
 * the others as data before a line; nothing comes out of them but a directory.
 */
import type { Walled, Where } from '../protocol/access.ts'
import { shellWord } from '../text/shell-word.ts'
import type { Launch } from './bash.ts'
import { isOfSecret, MARK, shellEnvironment } from './environment.ts'
import { type Exports, exportScript } from './exports.ts'
import { goInto } from './go-into.ts'
import { HARMLESS_GIT, harmlessEnvironment, harmlessExports } from './harmless.ts'
import { Lineage } from './lineage.ts'
import { Watch } from './watch.ts'

export interface WorldsOptions {
  cwd: string
  env: NodeJS.ProcessEnv
  /** Absolute path of bash. */
  program: string
  /** The session's directory, a real path. */
  project: string
  /** Only asked where a line is to run in a sandbox. */
  wall?: Wall | undefined
}

/** What puts bashes into sandboxes. */
export interface Wall {
  launch(where: Walled): Launch
  /** The sandbox that is there hides or keeps too little by now. */
  isStale(where: Walled): boolean
  /** Shell text that bash is told first there. */
  limits?: string
  /** Before a command that may change the project. The answer, after it, tells what it should not have made. */
  watch(): () => string[]
  /** What is set in there, whatever the persistent bash says. */
  env(where: Walled): Readonly<Record<string, string>>
  /** Where single hosts can be reached: which, and those refused since this was last asked. */
  reach(): Reach | undefined
  close(): Promise<void>
}

/** What a command can reach, and could not. */
export interface Reach {
  named: readonly string[]
  refused: readonly string[]
}

interface Other {
  lineage: Lineage
  env: NodeJS.ProcessEnv
  /** Of its environment what nobody outside changes. */
  fixed: Readonly<Record<string, string>>
  told: string
}

/** Of each bash its own, and none of anybody's else. */
const OWN = new Set([MARK, 'PWD', 'OLDPWD', 'SHLVL', '_'])

export class Worlds {
  readonly outside: Lineage
  #options: WorldsOptions
  #watch: Watch | undefined
  #main: Worlds | undefined
  #others = new Map<Where, Other>()
  #mark = `${process.hrtime.bigint().toString(36)}.${process.pid}`

  /** `main`: whose persistent bash it shares, and who ends that. */
  constructor(options: WorldsOptions, main?: Worlds) {
    this.#options = options
    this.#main = main
    const { cwd, env, program } = options
    this.outside = main?.outside ?? new Lineage({ cwd, program, env: shellEnvironment(env, this.#mark) })
    const { wall } = options
    this.#watch =
      wall &&
      new Watch({
        look: () => wall.watch(),
        isAlive: () => this.#isWorking(),
      })
  }

  /** Bashes of their own for lines that only read; what the persistent one exports goes into them, too. */
  beside(): Worlds {
    return new Worlds(this.#options, this)
  }

  /**
   * Where a line runs after all: one that only reads not outside while something in the sandbox can make
   * its names mean other files.
   */
  async placeOf(where: Where | undefined): Promise<Where | undefined> {
    return where === 'harmless' && (await (this.#main ?? this).#isWorking()) ? 'sandbox-read' : where
  }

  async #isWorking(): Promise<boolean> {
    return (await this.#others.get('sandbox-work')?.lineage.isAlive()) ?? false
  }

  /** The bash for a line, in `cwd`. Rejects where a sandbox is wanted and there is none. */
  async at(where: Where | undefined, cwd: string): Promise<Lineage> {
    const lineage = where === undefined ? this.outside : this.#other(where).lineage
    lineage.goTo(cwd)
    if (where !== undefined) await this.outside.exported()
    if (where !== undefined && where !== 'harmless' && this.#options.wall?.isStale(where))
      await lineage.renew()
    return lineage
  }

  /** Asked before a line and after it: what it could not reach. */
  reach(where: Where | undefined): Reach | undefined {
    return where === 'sandbox-work' ? this.#options.wall?.reach() : undefined
  }

  /** A line begins. The answer, asked after it: what the sandbox should not have made until then. */
  begin(where: Where | undefined): () => string[] {
    return this.#watch?.begin(where === 'sandbox-work') ?? (() => [])
  }

  /** Ends all. */
  async close(): Promise<{ pid: number; command: string }[]> {
    const others = [...this.#others.values()].map(({ lineage }) => lineage)
    const own = this.#main ? others : [this.outside, ...others]
    const ended = await Promise.all(own.map(lineage => lineage.close()))
    if (!this.#main) await this.#options.wall?.close()
    this.#watch?.look()
    return ended.flat()
  }

  /** Shell text that a line needs before it; undefined: nothing. */
  before(where: Where | undefined, { isElsewhere, cwd }: { isElsewhere: boolean; cwd: string }) {
    const into = `\\builtin cd -- ${shellWord(cwd)} >/dev/null`
    // A command can lie about where bash is. The next one is judged there, so it runs there.
    if (where === undefined) return isElsewhere ? into : goInto(cwd)
    const other = this.#other(where)
    const exports = this.outside.exports ?? new Map()
    const carried = exportScript(
      where === 'harmless' ? harmlessExports(exports, other.env) : changed(exports, other),
    )
    if (where === 'harmless') return carried === '' ? into : `${into} && { ${carried};}`
    const news = carried === other.told ? '' : carried
    other.told = carried
    const text = [...(isElsewhere ? [into] : []), ...(news === '' ? [] : [news])].join(';')
    return text === '' ? undefined : text
  }

  #other(where: Where) {
    const known = this.#others.get(where)
    if (known !== undefined) return known
    const { cwd, program, project, wall } = this.#options
    const whole = shellEnvironment(this.#options.env, `${this.#mark}.${where}`)
    const fixed = where === 'harmless' ? {} : (wall?.env(where) ?? {})
    const env =
      where === 'harmless'
        ? harmlessEnvironment(whole, { project })
        : {
            ...Object.fromEntries(Object.entries(whole).filter(([name]) => !isOfSecret(name))),
            ...fixed,
          }
    const launch = where === 'harmless' ? undefined : wall?.launch(where)
    if (where !== 'harmless' && launch === undefined) throw new Error('there is no sandbox here')
    const prelude = where === 'harmless' ? HARMLESS_GIT : wall?.limits || undefined
    const other = { lineage: new Lineage({ cwd, program, env, launch, prelude }), env, fixed, told: '' }
    this.#others.set(where, other)
    return other
  }
}

/** What is not in the environment that a sandbox was started with. */
const changed = (exports: Exports, { env, fixed }: Other): Exports =>
  new Map(
    [...exports].flatMap(([name, bytes]) => {
      const value = Buffer.from(bytes ?? '', 'latin1').toString()
      return OWN.has(name) ||
        name in fixed ||
        isOfSecret(name) ||
        env[name] === value ||
        value.includes('\ufffd')
        ? []
        : [[name, value]]
    }),
  )
