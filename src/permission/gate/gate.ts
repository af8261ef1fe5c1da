/**
 * The narrow gate: the only way for a command line to run unasked because it only reads. What passes is understood in full
 * and written anew from what was understood, so that what runs is what was judged, whatever bash would have made of it.
 */
import path from 'node:path'
import { isInside } from '../../paths/inside.ts'
import { Files } from '../judge/files.ts'
import { type Ground, type Judged, nothingJudged, type Reading } from '../judge/judged.ts'
import { Places } from '../judge/places.ts'
import { expand } from './expand.ts'
import { type Around, known, knownHanded } from './known.ts'
import { type Handed, readXargs } from './programs/handed.ts'
import { type GateCommand, type GateWord, HERE, holdsMark, type Piece, STATUS, scan } from './scan.ts'

/** No system takes longer ones (characters). */
const LONGEST = 100_000

/** `cwd`: where the shell is. undefined: the line is not known to only read. */
export function passGate(text: string, cwd: string, ground: Ground): Judged | undefined {
  const pieces = scan(text, ground.home)
  if (pieces === undefined) return undefined
  if (holdsMark(cwd)) return undefined
  const gate = new Gate(cwd, ground, pieces)
  const line = gate.pass()
  return line === undefined || line.length > LONGEST ? undefined : { ...gate.judged, line }
}

class Gate {
  readonly judged = nothingJudged()
  readonly #ground: Ground
  readonly #pieces: readonly Piece[]
  readonly #mayGo: boolean
  /** Where the line may be by now, as long as nothing failed that `&&` follows. */
  #places: ReadonlySet<string>
  /** Where it may be instead. */
  #others: ReadonlySet<string> = new Set()

  constructor(cwd: string, ground: Ground, pieces: readonly Piece[]) {
    this.#ground = ground
    this.#pieces = pieces
    this.#places = new Set([cwd])
    // Where an `if` leads nobody knows.
    this.#mayGo = !pieces.some(piece => 'joint' in piece && piece.joint === 'if')
  }

  /** → the line as it is to run. */
  pass(): string | undefined {
    const written: string[] = []
    let joint = ';'
    let isNegated = false
    for (let n = 0; n < this.#pieces.length; n++) {
      const piece = this.#pieces[n] as Piece
      if ('joint' in piece) {
        if (piece.joint === '!') isNegated = !isNegated
        // A line break after an operator goes on with it.
        else if (!(piece.joint === '\n' && /^(&&|\|\|)$/.test(joint))) joint = piece.joint
        written.push(piece.joint)
        continue
      }
      const pipeline = [piece.command]
      let pipes: string[] = []
      for (;;) {
        let next = n + 1
        const pipe = this.#pieces[next]
        if (!pipe || !('joint' in pipe) || !/^\|&?$/.test(pipe.joint)) break
        for (next++; isBreak(this.#pieces[next]); ) next++
        const after = this.#pieces[next]
        if (!after || !('command' in after)) return undefined
        pipes = [...pipes, pipe.joint]
        pipeline.push(after.command)
        n = next
      }
      if (joint !== '&&') {
        this.#places = new Set([...this.#places, ...this.#others])
        this.#others = new Set()
      }
      const goes = pipeline.length === 1 && piece.command.words[0]?.value === 'cd'
      const around = { joint: isNegated ? '!' : joint, next: this.#pieces[n + 1] }
      const ran = goes ? this.#goes(piece.command, around) : this.#piped(pipeline, this.#places)
      if (ran === undefined) return undefined
      written.push(ran.flatMap((one, m) => (m === 0 ? [one] : [pipes[m - 1] ?? '|', one])).join(' '))
      isNegated = false
      joint = ';'
    }
    return written.join(' ')
  }

  /** Where nothing else is written about its failing, that ends the line: what follows is where it was to go. */
  #goes(
    command: GateCommand,
    { joint, next }: { joint: string; next: Piece | undefined },
  ): string[] | undefined {
    const { text, settings, redirects, inputs } = command
    const from = this.#places
    const words = this.#words(command, from) ?? []
    const operands = words[1] === '--' ? words.slice(2) : words.slice(1)
    const [to] = operands
    const isPlain = settings.length + redirects.length + inputs.length === 0
    if (
      !this.#mayGo ||
      /^(!|\|\|)$/.test(joint) ||
      !isPlain ||
      operands.length > 1 ||
      !to ||
      to.startsWith('-')
    )
      return undefined
    const targets = new Set<string>()
    for (const place of from) {
      const target = new Places([place], this.#ground).follow(to)
      if (target === undefined || !isInside(this.#ground.look.real(target), this.#ground.project))
        return undefined
      targets.add(target)
    }
    this.judged.parts.push({ text, words, assignments: 0, verdict: {} })
    const isSure = joint !== '&&' && !(next && 'joint' in next && next.joint === '||')
    if (!isSure) this.#others = new Set([...this.#others, ...from])
    this.#places = targets
    // So written, CDPATH has no part in it.
    return [`cd -- ${quote(to.startsWith('/') ? to : `./${to}`)}${isSure ? ' || exit' : ''}`]
  }

  #piped(pipeline: readonly GateCommand[], from: ReadonlySet<string>): string[] | undefined {
    const all = pipeline.map(command => this.#words(command, from))
    if (!all.every(words => words !== undefined)) return undefined
    const at = all.findIndex(([name]) => name === 'xargs')
    const handed = at > 0 ? readXargs(all.slice(0, at + 1)) : undefined
    if (at > 0 && handed === undefined) return undefined
    const texts: string[] = []
    for (const [n, command] of pipeline.entries()) {
      const isHanded = handed !== undefined && n <= at
      const words = (isHanded ? handed.pipeline[n] : all[n]) ?? []
      const ran =
        handed && n === at
          ? this.#handed(command, { words, from, handed, source: all[0] ?? [] })
          : this.#runs(command, { words, from, judged: all[n] })
      if (ran === undefined) return undefined
      texts.push(ran)
    }
    return texts
  }

  /** `xargs` with a reader: what that one shows is what its source names. */
  #handed(
    command: GateCommand,
    {
      words,
      from,
      handed,
      source,
    }: { words: string[]; from: ReadonlySet<string>; handed: Handed; source: readonly string[] },
  ): string | undefined {
    const places = new Places(from, this.#ground)
    const around = this.#around(places)
    if (command.inputs.length > 0) return undefined
    const verdict = knownHanded(handed.runs, { named: known(source, around), plain: handed.plain }, around)
    return this.#write(command, { words, judged: words, places, verdict })
  }

  #runs(
    command: GateCommand,
    {
      words,
      from,
      judged = words,
    }: { words: string[]; from: ReadonlySet<string>; judged?: string[] | undefined },
  ): string | undefined {
    const places = new Places(from, this.#ground)
    const verdict = known(judged, this.#around(places))
    return this.#write(command, { words, judged, places, verdict })
  }

  #around(places: Places): Around {
    return { look: this.#ground.look, hardened: true, absolute: (...written) => places.absolute(...written) }
  }

  #write(
    { text, settings, redirects, inputs }: GateCommand,
    {
      words,
      judged,
      places,
      verdict,
    }: { words: string[]; judged: string[]; places: Places; verdict: Reading },
  ): string | undefined {
    const files = new Files(this.judged, places, this.#ground)
    for (const word of judged) files.refuse(word)
    const part = { ...verdict }
    files.read(part)
    const from = inputs
      .flatMap(word => this.#expanded(word, places) ?? ['', ''])
      .map(file => file.replace(/^-/, './-'))
    if (from.length !== inputs.length) return undefined
    for (const file of from) {
      // To bash these are connections.
      if (/^\/dev\/(tcp|udp)\//.test(file)) return undefined
      const input: Reading = { reads: [file] }
      if (file !== '/dev/null') files.read(input)
      if (input.changes !== undefined) part.changes ??= input.changes
    }
    if (part.changes !== undefined) return undefined
    this.judged.parts.push({ text, words: judged, assignments: 0, verdict: part })
    return [
      ...settings,
      ...safely(words, part.spares).map(quote),
      ...from.map(file => `<${quote(file)}`),
      ...redirects,
    ].join(' ')
  }

  #words({ words }: GateCommand, from: ReadonlySet<string>): string[] | undefined {
    const [first] = words
    if (first === undefined || /[\0*?[{~]/.test(first.bare.replace(/^\[$/, ''))) {
      // Its name may stand in quotes, but not be made of anything.
      if (first === undefined || !/^[\w.-]+$/.test(first.value)) return undefined
    }
    const places = new Places(from, this.#ground)
    const rest: string[] = []
    for (const word of words.slice(1)) {
      if (word.value.includes(STATUS) && first.value !== 'echo') return undefined
      const found = this.#expanded(word, places)
      if (found === undefined) return undefined
      rest.push(...found)
    }
    return [first.value, ...rest]
  }

  #expanded(word: GateWord, places: Places): string[] | undefined {
    const { home, look } = this.#ground
    const place = places.only
    if (word.value.includes(HERE) && place === undefined) return undefined
    const filled = fill(word, place ?? '')
    return expand(filled, { home, look, place })
  }
}

const isBreak = (piece: Piece | undefined): boolean =>
  piece !== undefined && 'joint' in piece && piece.joint === '\n'

function fill({ value, bare }: GateWord, place: string): GateWord {
  const parts = value.split(HERE)
  if (parts.length === 1) return { value, bare }
  let at = 0
  const bares = parts.map(part => {
    const piece = bare.slice(at, at + part.length)
    at += part.length + 1
    return piece
  })
  return { value: parts.join(place), bare: bares.join('\0'.repeat(place.length)) }
}

/** What else git would run is off: it takes these over what the configuration of a repository says. */
const QUIET_GIT =
  `--no-pager --no-optional-locks -c core.fsmonitor=false -c core.hooksPath=/dev/null -c gc.auto=0
  -c protocol.allow=never -c safe.bareRepository=explicit -c log.showSignature=false -c diff.autoRefreshIndex=false`.split(
    /\s+/,
  )

/** The words as they run: a search by rg leaves out files that hold secrets, and takes no options from a file. */
function safely(all: readonly string[], secrets: ReadonlySet<string> = new Set()): readonly string[] {
  const [name = '', ...words] = all
  if (name === 'git') {
    const at = words.findIndex((word, n) => !word.startsWith('-') && words[n - 1] !== '-C')
    const drivers = /^(diff|log|show|whatchanged)$/.test(words[at] ?? '')
      ? ['--no-ext-diff', '--no-textconv']
      : []
    const without = [...secrets].map(file => `:(exclude,literal)${file}`)
    return [name, ...QUIET_GIT, ...words.slice(0, at + 1), ...drivers, ...words.slice(at + 1), ...without]
  }
  if (name !== 'rg') return all
  const escaped = [...secrets].map(file => path.basename(file).replaceAll(/[*?[\]{}!\\]/g, '\\$&'))
  // Of its globs the later one counts, and --iglob is later than every --glob.
  const without = [...new Set(escaped)].map(file => `--iglob=!**/${file}`)
  const end = words.indexOf('--')
  const [before, after] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)]
  return [name, '--no-config', ...before, ...without, ...after]
}

/** A word that bash takes as it is. */
function quote(word: string): string {
  if (word.includes(STATUS)) return `"${word.replaceAll(/[\\"$`]/g, '\\$&').replaceAll(STATUS, '$?')}"`
  return /^[\w./:,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
