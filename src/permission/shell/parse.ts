/**
 * A command line, parsed by unbash and read behind a gate that fails closed: every simple command at every depth,
 * and every reason why gopi cannot be sure that these are all.
 */
import type {
  Assignment,
  HereDoc,
  SyntaxNode as Node,
  ParameterExpansionPart,
  Redirect,
  TestExpression,
  Word,
} from 'unbash'
import { Coverage, unreadable } from './gate.ts'
import type { ShellLine, ShellRedirect } from './line.ts'
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
  if (trouble !== undefined) return { commands: [], doubts: [trouble], unclear: [], variables: new Set() }
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
}

class Reader {
  readonly line: ShellLine = { commands: [], doubts: [], unclear: [], variables: new Set() }
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
    const stack: Visit[] = [{ node: script, decoded: false }]
    for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
      this.#visit(visit)
      const decoded = visit.decoded || isBackticks(visit.node)
      const children: Visit[] = []
      this.#parser.forEachChild(visit.node, node => children.push({ node, decoded }))
      stack.push(...children.reverse())
    }
    const doubt = this.#coverage.doubt()
    if (doubt !== undefined) this.#doubt(doubt)
  }

  #doubt(why: string): void {
    this.line.doubts.push(why)
  }

  #visit({ node, decoded }: Visit): void {
    if (!decoded) this.#cover(node)
    switch (node.type) {
      case 'Script':
        if (node.errors?.length) this.#doubt(`the command cannot be parsed (${node.errors[0]?.message})`)
        return
      case 'Command':
        this.line.commands.push({
          text: decoded
            ? wordsOf(node)
                .map(({ text }) => text)
                .join(' ')
            : this.#text.slice(node.pos, node.end),
          words: wordsOf(node).map(word => this.#word(word)),
          assignments: node.prefix.filter(isAssignment).map(assignment => ({
            text: assignment.text,
            name: assignment.name,
            value: assignment.value.type === 'Word' ? this.#word(assignment.value) : undefined,
          })),
          redirects: this.#redirects(node.redirects),
        })
        return
      case 'Redirected':
        this.line.commands.push({
          text: this.#text.slice(node.pos, node.end),
          words: [],
          assignments: [],
          redirects: this.#redirects(node.redirects),
        })
        return
      case 'Function':
        this.line.unclear.push(`defines the function ${node.name.text}`)
        return
      case 'For':
      case 'Select':
        this.line.variables.add(node.name.text)
        return
      case 'Coproc':
        this.#doubt('coproc runs a command that gopi does not judge')
        break
      case 'CommandExpansion':
      case 'ArithmeticCommandExpansion':
      case 'ProcessSubstitution':
        this.#substitution(node)
        break
      case 'Pipeline':
        if (node.prefixes.some(({ type }) => type === 'Time') && node.commands[0]?.type === 'TestCommand')
          this.#doubt('gopi cannot tell what `time [[` does')
        return
      case 'TestCommand':
        this.#test(node.expression)
        break
      case 'ArithmeticExpansion':
        this.#arithmetic(node.text.replace(/^\$\(\(|^\$\[|\)\)$|\]$/g, ''))
        break
      case 'ArithmeticCommand':
        this.#arithmetic(node.body)
        break
      case 'ArithmeticFor':
        this.#arithmetic(this.#text.slice(node.pos, node.body.pos).replace(/^for\s*|;?\s*(do|\{)?\s*$/g, ''))
        break
      case 'ParameterExpansion':
        this.#parameter(node)
        break
      case 'Assignment':
        this.#assignment(node)
        break
      case 'Redirect':
        this.#descriptor(node)
        break
      case 'HereDoc':
        this.#hereDoc(node)
        break
      default:
        if (!PLAIN.has(node.type)) this.#doubt(`gopi does not know the construct ${node.type}`)
    }
  }

  /** Tells the coverage what this node accounts for. */
  #cover(node: Node): void {
    const coverage = this.#coverage
    switch (node.type) {
      case 'Word':
      case 'Assignment':
      case 'Redirect':
      case 'HereString':
      case 'Time':
      case 'Negation':
        coverage.token(node)
        break
      case 'TestCommand':
        coverage.token(node)
        break
      case 'ArithmeticCommand':
        coverage.token(node)
        coverage.quiet(node, 2)
        break
      case 'ArithmeticFor': {
        const end = this.#text.slice(0, node.body.pos).lastIndexOf('))') + 2
        coverage.token({ pos: node.pos, end })
        coverage.quiet({ pos: node.pos, end }, 2)
        break
      }
      case 'HereDoc':
        coverage.token(node)
        coverage.token(node.body)
        if (node.closing) coverage.token(node.closing)
        coverage.quiet(node.body, node.delimiter?.quoted ? 1 : 2)
        break
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        coverage.quiet(node, 1)
        break
      case 'DoubleQuoted':
        coverage.quiet(node, 2)
        break
      case 'ArithmeticExpansion':
        coverage.opener(node)
        coverage.quiet(node, 2)
        break
      case 'ParameterExpansion':
        coverage.opener(node)
        break
      case 'CommandExpansion':
      case 'ArithmeticCommandExpansion':
      case 'ProcessSubstitution':
        coverage.opener(node)
        if (isBackticks(node)) coverage.quiet(node, 1)
        else coverage.script({ pos: node.pos + 1, end: node.end })
        break
    }
  }

  #word(word: Word) {
    return readWord(word, this.#home)
  }

  #redirects(redirects: readonly Node[]): ShellRedirect[] {
    const found: ShellRedirect[] = []
    for (const node of redirects) {
      if (node.type !== 'Redirect') continue
      if (node.target === undefined) this.#doubt('a redirect has no target')
      else found.push({ operator: node.operator, target: this.#word(node.target) })
    }
    return found
  }

  #substitution(node: Extract<Node, { script: unknown; text: string }>): void {
    if (node.script === undefined) this.#doubt(`gopi cannot parse ${quoted(node.text)}`)
    else if (isBackticks(node)) this.#doubt('backticks hide what runs; $(…) does not')
    else if (!/^(\$\(|[<>]\()/.test(node.text)) this.#doubt(`gopi cannot tell what ${quoted(node.text)} runs`)
    else if (/<<(?!<)/.test(node.text) && !isSimple(node.script.commands.map(({ command }) => command.type)))
      this.#doubt('a here-document stands in a substitution of several commands')
    if (node.type !== 'ProcessSubstitution') return
    const around = [this.#text[node.pos - 1] ?? ' ', this.#text[node.end] ?? ' ']
    if (around.some(character => !/[\s;&|)]/.test(character)))
      this.#doubt(`gopi cannot tell what touches ${quoted(node.text)}`)
  }

  /** Operands of these are evaluated: `[[ -v 'a[$(x)]' ]]` runs x. */
  #test(expression: TestExpression): void {
    const open: TestExpression[] = [expression]
    for (let test = open.pop(); test !== undefined; test = open.pop()) {
      if (test.type === 'TestLogical') open.push(...test.operands)
      else if (test.type === 'TestNot') open.push(test.operand)
      else if (test.type === 'TestGroup') open.push(test.expression)
      else if (test.type === 'TestUnary') {
        if (/^-[vR]$/.test(test.operator)) this.#doubt(`[[ ${test.operator} ]] evaluates its operand`)
      } else if (/^-(eq|ne|lt|le|gt|ge)$/.test(test.operator)) {
        for (const { text } of [test.left, test.right]) this.#arithmetic(text.replace(/^\$(\w+)$/, '$1'))
      }
    }
  }

  #arithmetic(text: string): void {
    if (/[^\w\s+\-*/%()<>=!&|^~?:,;#.]/.test(text) || !isBalanced(text))
      this.#doubt(`arithmetic evaluates what stands in it: ${quoted(text)}`)
    else if (/[a-z_]/i.test(text.replaceAll(/\b0x[\da-f]+\b|\b\d+#\w+/gi, '')))
      this.line.unclear.push('arithmetic evaluates what the variables hold')
  }

  #parameter({ text, prefix, index, operation }: ParameterExpansionPart): void {
    const isPlainIndex = index === undefined || /^([@*]|\d+)$/.test(index.text)
    const isNumericSlice = operation?.type !== 'Slice' || /:\s*-?\d+(\s*:\s*-?\d+)?\}$/.test(text)
    const isPlain = /^\$\{[#!]?[\w@*#?$!-][^$`'"\\\n]*\}$/.test(text)
    if (!isPlain || !isPlainIndex || !isNumericSlice || prefix === '!' || operation?.type === 'Transform')
      this.#doubt(`${quoted(text)} may evaluate what it holds`)
    else if (operation?.type === 'Unknown') this.#doubt(`gopi does not know ${quoted(text)}`)
  }

  #assignment({ text, index, value }: Assignment): void {
    if (index !== undefined || (value.type === 'ArrayValue' && /[[`$]/.test(text)))
      this.#doubt(`a subscript is evaluated: ${quoted(text)}`)
  }

  #descriptor({ operator, target, descriptor }: Redirect): void {
    if (descriptor?.type === 'FileDescriptorVariable') this.#doubt('a redirect sets a variable')
    if (operator !== '>&' && operator !== '<&') return
    const text = target?.text ?? ''
    const isName = operator === '>&' && /^[\w./~][\w./-]*$/.test(text)
    if (!/^(\d+|-)$/.test(text) && !isName) this.#doubt(`gopi cannot tell what ${operator}${text} does`)
  }

  #hereDoc({ closing, delimiter, body }: HereDoc): void {
    if (closing === undefined || delimiter === undefined) this.#doubt('a here-document has no end')
    else if (
      !delimiter.quoted &&
      /`|\$[({['"]/.test(body.text.replaceAll(/\\[\s\S]/g, '').replaceAll(/\$\{\w+\}/g, ''))
    )
      this.#doubt('a here-document runs what stands in it (quote its delimiter)')
  }
}

/** Node types that say nothing by themselves: their children are visited. */
const PLAIN: ReadonlySet<string> = new Set(
  `Statement CompoundList CaseItem Elif AndOr If While Subshell BraceGroup Case Word Literal Glob SingleQuoted
  DoubleQuoted AnsiCQuoted LocaleString SimpleExpansion ExtendedGlob BraceExpansion ArrayValue HereString FileDescriptor
  FileDescriptorVariable HereDocDelimiter HereDocBody Time Negation ArithmeticBinary ArithmeticUnary ArithmeticTernary
  ArithmeticGroup ArithmeticWord TestUnary TestBinary TestLogical TestNot TestGroup Default Remove Replace Slice
  CaseModification Transform Names Unknown`.split(/\s+/),
)

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

const isBackticks = (node: Node): boolean => node.type === 'CommandExpansion' && node.text.startsWith('`')

const isSimple = (types: string[]): boolean => types.length === 1 && types[0] === 'Command'

function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    else if (character === ')' && --depth < 0) return false
  }
  return depth === 0
}

const quoted = (text: string) => (text.length > 60 ? `${text.slice(0, 57)}…` : text)
