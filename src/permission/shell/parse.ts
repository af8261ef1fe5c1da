/**
 * A command line, parsed by unbash and read behind a gate that fails closed: every simple command at every depth,
 * and every reason why gopi cannot be sure that these are all.
 */

import type { Assignment, HereDoc, SyntaxNode as Node, Word } from 'unbash'
import { said } from '../../words/sayings/said.ts'
import { cover } from './cover.ts'
import { doubtsOf, isBackticks } from './doubts.ts'
import { Coverage, unreadable } from './gate.ts'
import type { ShellLine, ShellRedirect } from './line.ts'
import { isDocument, readWord } from './word.ts'

type Parser = typeof import('unbash')

let parser: Parser | undefined

/** Loads the parser (some milliseconds, once). It has to be there before a line is parsed. */
export async function loadShellParser(): Promise<void> {
  parser ??= await import('unbash')
}

/** `home`: what `~` stands for. Never throws for what the line holds. */
export function parseLine(text: string, home: string): ShellLine {
  if (parser === undefined) throw new Error('the shell parser is used before it is loaded')
  const trouble = unreadable(text)
  if (trouble !== undefined) return { commands: [], doubts: [trouble], unclear: [], odd: true }
  const reader = new Reader(text, { home, parser })
  try {
    reader.read()
  } catch {
    reader.line.doubts.push(said('permission.cannot_parse_command', {}))
  }
  return reader.line
}

/** Of these a line of plain commands is made. */
const PLAIN: ReadonlySet<string> = new Set(
  `Script Statement AndOr Pipeline Command Word Literal Glob SingleQuoted DoubleQuoted Redirect FileDescriptor HereDoc
  HereDocDelimiter HereDocBody HereString`.split(/\s+/),
)

/** These decide whether a command runs, not which. What else there is only running the line would tell: no rule speaks for it. */
const AROUND: ReadonlySet<string> = new Set(
  'Statement If Elif While CompoundList Subshell BraceGroup Redirected Negation Time Assignment'.split(' '),
)

/** A here-document that bash fills in is more than that, and so is what goes on behind the line. */
const isPlain = (node: Node): boolean =>
  PLAIN.has(node.type) &&
  (node.type !== 'Statement' || !node.background) &&
  (node.type !== 'HereDoc' || node.delimiter?.quoted === true || !/[$`\\]/.test(node.body.text))

interface Visit {
  node: Node
  /** Inside backticks: positions are those of another text. */
  decoded: boolean
  /** Of a word that means just what it says. */
  literal: boolean
}

class Reader {
  readonly line: ShellLine = { commands: [], doubts: [], unclear: [], odd: false }
  readonly #text: string
  readonly #home: string
  readonly #parser: Parser
  readonly #coverage: Coverage
  /** Where the first pipeline ends. */
  #first = 0

  constructor(text: string, { home, parser }: { home: string; parser: Parser }) {
    this.#text = text
    this.#home = home
    this.#parser = parser
    this.#coverage = new Coverage(text)
  }

  read(): void {
    const script = this.#parser.parse(this.#text)
    const [statement] = script.commands
    const [first] = statement?.command.type === 'AndOr' ? statement.command.commands : [statement?.command]
    this.#first = first?.end ?? 0
    // A stack of its own: a line of a thousand nested parentheses must not end gopi.
    const stack: Visit[] = [{ node: script, decoded: false, literal: false }]
    for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
      this.#visit(visit)
      const { node: parent } = visit
      const decoded = visit.decoded || isBackticks(parent)
      const literal = visit.literal || (parent.type === 'Word' && isDocument(parent.text))
      const children: Visit[] = []
      this.#parser.forEachChild(parent, node => {
        children.push({ node, decoded, literal })
      })
      stack.push(...children.reverse())
    }
    const doubt = this.#coverage.doubt()
    if (doubt !== undefined) this.line.doubts.push(doubt)
  }

  #visit({ node, decoded, literal }: Visit): void {
    if (!decoded) cover(this.#coverage, node, this.#text)
    this.line.doubts.push(...doubtsOf(node, this.#text))
    if (!isPlain(node)) this.line.odd = true
    const isStatus = node.type === 'SimpleExpansion' && node.text === '$?'
    const isKnown = literal || isPlain(node) || AROUND.has(node.type) || isStatus
    if (!isKnown && this.line.unclear.length === 0)
      this.line.unclear.push(said('permission.not_understood', {}))
    if (node.type === 'Command') {
      const written = wordsOf(node)
      this.line.commands.push({
        words: written.map(word => readWord(word, this.#home)),
        text: decoded ? written.map(({ text }) => text).join(' ') : this.#text.slice(node.pos, node.end),
        assignments: node.prefix.filter(isAssignment).map(({ text, name, value }) => ({
          text,
          name,
          value: value.type === 'Word' ? readWord(value, this.#home) : undefined,
        })),
        redirects: this.#redirects(node.redirects, decoded),
        ...this.#input(node.redirects),
      })
    } else if (node.type === 'Redirected') {
      const redirects = this.#redirects(node.redirects, decoded)
      const text = this.#text.slice(node.pos, node.end)
      this.line.commands.push({
        text,
        words: [],
        assignments: [],
        redirects,
      })
    }
  }

  #redirects(redirects: readonly Node[], decoded: boolean): ShellRedirect[] {
    return redirects.flatMap(node => {
      if (node.type !== 'Redirect' || node.target === undefined) return []
      const { pos, end } = node.target
      const target = readWord(node.target, this.#home)
      return [
        { operator: node.operator, target, ...(!decoded && { at: { pos, end, first: end <= this.#first } }) },
      ]
    })
  }

  /** The last of them is what the command reads, unless a file comes in between. */
  #input(redirects: readonly Node[]): { input?: string } {
    const last = redirects.findLast(isGiven)
    if (
      last?.descriptor ||
      redirects.some(node => node.type === 'Redirect' && /^<[>&]?$/.test(node.operator))
    )
      return {}
    if (last?.type === 'HereDoc')
      return last.delimiter?.quoted || !/[$`\\]/.test(last.body.text) ? { input: last.body.text } : {}
    const value = last?.target && readWord(last.target, this.#home).value
    return value === undefined ? {} : { input: value }
  }
}

const isGiven = (node: Node): node is HereDoc | Extract<Node, { type: 'HereString' }> =>
  node.type === 'HereDoc' || node.type === 'HereString'

const isAssignment = (node: Node): node is Assignment => node.type === 'Assignment'

/** The program and its arguments; of `export A=1` the assignment too. */
function wordsOf({ name, args }: Extract<Node, { type: 'Command' }>): Word[] {
  const words = args.map(arg => (arg.type === 'Word' ? arg : asWord(arg)))
  return name === undefined ? words : [name, ...words]
}

/** What `export` and its kin are given is judged as one word, never static. */
function asWord({ text, pos, end, value }: Assignment): Word {
  const parts = value.type === 'Word' ? value.parts : undefined
  const prefix = text.slice(0, value.pos - pos)
  const isStatic = value.type === 'Word'
  return { type: 'Word', text, value: isStatic ? prefix + value.value : text, pos, end, parts }
}
