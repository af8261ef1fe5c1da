/**
 * A command line, parsed by unbash and read behind a gate that fails closed: every simple command at every depth,
 * and every reason why gopi cannot be sure that these are all.
 */
import type { Assignment, HereDoc, SyntaxNode as Node, Word } from 'unbash'
import { cover } from './cover.ts'
import { type Finding, findingsOf, isBackticks } from './doubts.ts'
import { Coverage, unreadable } from './gate.ts'
import type { ShellLine, ShellRedirect } from './line.ts'
import { type Loops, loopsIn, runsOf, spreadBraces } from './spread.ts'
import { readWord } from './word.ts'

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
  if (trouble !== undefined) return { commands: [], doubts: [trouble], unclear: [], sets: [] }
  const reader = new Reader(text, { home, parser })
  try {
    reader.read()
  } catch {
    reader.line.doubts.push('gopi cannot parse the command')
  }
  return reader.line
}

interface Visit {
  node: Node
  /** Inside backticks: positions are those of another text. */
  decoded: boolean
  loops: Loops
}

class Reader {
  readonly line: ShellLine = { commands: [], doubts: [], unclear: [], sets: [] }
  readonly #text: string
  readonly #home: string
  readonly #parser: Parser
  readonly #coverage: Coverage

  constructor(text: string, { home, parser }: { home: string; parser: Parser }) {
    this.#text = text
    this.#home = home
    this.#parser = parser
    this.#coverage = new Coverage(text)
  }

  read(): void {
    const script = this.#parser.parse(this.#text)
    // A stack of its own: a line of a thousand nested parentheses must not end gopi.
    const stack: Visit[] = [{ node: script, decoded: false, loops: new Map() }]
    for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
      this.#visit(visit)
      const { node: parent, loops } = visit
      const decoded = visit.decoded || isBackticks(parent)
      const children: Visit[] = []
      const inside =
        parent.type === 'For' && !decoded
          ? loopsIn(parent, loops, { text: this.#text, home: this.#home })
          : loops
      this.#parser.forEachChild(parent, node => {
        const isBody = parent.type === 'For' && node === parent.body
        // A function runs wherever it is called.
        children.push({
          node,
          decoded,
          loops: parent.type === 'Function' ? new Map() : isBody ? inside : loops,
        })
      })
      stack.push(...children.reverse())
    }
    this.#note([{ doubt: this.#coverage.doubt() }])
  }

  #note(findings: readonly { [K in keyof Finding]: Finding[K] | undefined }[]): void {
    for (const { doubt, unclear, sets } of findings) {
      if (doubt !== undefined) this.line.doubts.push(doubt)
      if (unclear !== undefined) this.line.unclear.push(unclear)
      if (sets !== undefined) this.line.sets.push(sets)
    }
  }

  #visit({ node, decoded, loops }: Visit): void {
    if (!decoded) cover(this.#coverage, node, this.#text)
    this.#note(findingsOf(node, this.#text))
    if (node.type === 'Command') {
      const written = wordsOf(node)
      const read = written.flatMap((word, n) => {
        const one = readWord(word, this.#home)
        return n === 0 ? [one] : spreadBraces(one)
      })
      const command = {
        text: decoded ? written.map(({ text }) => text).join(' ') : this.#text.slice(node.pos, node.end),
        assignments: node.prefix.filter(isAssignment).map(({ text, name, value }) => ({
          text,
          name,
          value: value.type === 'Word' ? readWord(value, this.#home) : undefined,
        })),
        redirects: this.#redirects(node.redirects),
        ...this.#input(node.redirects),
        given: this.#given(node.redirects),
      }
      for (const words of runsOf(read, loops)) this.line.commands.push({ ...command, words })
    } else if (node.type === 'Redirected') {
      const redirects = this.#redirects(node.redirects)
      const text = this.#text.slice(node.pos, node.end)
      this.line.commands.push({
        text,
        words: [],
        assignments: [],
        redirects,
        given: this.#given(node.redirects),
      })
    }
  }

  #redirects(redirects: readonly Node[]): ShellRedirect[] {
    return redirects.flatMap(node =>
      node.type === 'Redirect' && node.target !== undefined
        ? [{ operator: node.operator, target: readWord(node.target, this.#home) }]
        : [],
    )
  }

  /** The here-documents and here-strings in which bash fills in what variables hold. */
  #given(redirects: readonly Node[]): string[] {
    return redirects.filter(isGiven).flatMap(node => {
      if (node.type === 'HereDoc') return node.delimiter?.quoted ? [] : node.body.text
      return node.target && readWord(node.target, this.#home).value === undefined ? node.target.text : []
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
