/**
 * What single constructs run or set that the tree does not show, because bash evaluates text that looks like data: the
 * reasons to doubt a line. Each of these is a way in which a parser was seen to differ from bash.
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
import { isBalanced } from '../../text/balanced.ts'
import type { VariableSet } from './line.ts'
import { unquoted } from './word.ts'

/** `doubt`: nobody can say what runs. `unclear`: it may evaluate something. `sets`: a variable. */
export interface Finding {
  doubt?: string
  unclear?: string
  sets?: VariableSet
}

/** Node types that evaluate nothing by themselves: their children are visited. */
const PLAIN: ReadonlySet<string> = new Set(
  `Statement CompoundList CaseItem Elif AndOr If While Subshell BraceGroup Case Literal Glob SingleQuoted
  DoubleQuoted AnsiCQuoted LocaleString SimpleExpansion ExtendedGlob BraceExpansion ArrayValue HereString FileDescriptor
  FileDescriptorVariable HereDocDelimiter HereDocBody Time Negation ArithmeticBinary ArithmeticUnary ArithmeticTernary
  ArithmeticGroup ArithmeticWord Command Redirected TestUnary TestBinary TestLogical TestNot TestGroup Default Remove Replace Slice
  CaseModification Transform Names Unknown`.split(/\s+/),
)

/** `text`: the whole line. */
export function findingsOf(node: Node, text: string): Finding[] {
  switch (node.type) {
    case 'Script':
      return node.errors?.length
        ? [{ doubt: `the command cannot be parsed (${node.errors[0]?.message})` }]
        : []
    case 'Word':
      return ofWord(node)
    case 'Function':
      return ofFunction(node.name.text, text.slice(node.body.pos, node.body.end))
    case 'For':
    case 'Select':
      return [
        {
          sets: { name: node.name.text, from: node.wordlist?.map(word => word.text).join(' ') ?? '' },
        },
      ]
    case 'Coproc':
      return [{ doubt: 'coproc runs a command that gopi does not judge' }]
    case 'CommandExpansion':
    case 'ArithmeticCommandExpansion':
    case 'ProcessSubstitution':
      return ofSubstitution(node, text)
    case 'Pipeline':
      return node.prefixes.some(({ type }) => type === 'Time') && node.commands[0]?.type === 'TestCommand'
        ? [{ doubt: 'gopi cannot tell what `time [[` does' }]
        : []
    case 'TestCommand':
      return ofTest(node.expression)
    case 'ArithmeticExpansion':
      return ofArithmetic(node.text.replace(/^\$\(\(|^\$\[|\)\)$|\]$/g, ''))
    case 'ArithmeticCommand':
      return ofArithmetic(node.body)
    case 'ArithmeticFor':
      return ofArithmetic(text.slice(node.pos, node.body.pos).replace(/^for\s*|;?\s*(do|\{)?\s*$/g, ''))
    case 'ParameterExpansion':
      return ofParameter(node)
    case 'Assignment':
      return ofAssignment(node)
    case 'Redirect':
      return ofRedirect(node)
    case 'HereDoc':
      return ofHereDoc(node)
    default:
      return PLAIN.has(node.type) ? [] : [{ doubt: `gopi does not know the construct ${node.type}` }]
  }
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text)

export const isBackticks = (node: Node): boolean =>
  node.type === 'CommandExpansion' && node.text.startsWith('`')

const isSimple = (types: string[]): boolean => types.length === 1 && types[0] === 'Command'

/** A function that calls itself twice at once fills the machine with processes. */
function ofFunction(name: string, body: string): Finding[] {
  const tight = body.replaceAll(/\s/g, '')
  return tight.includes(`${name}|${name}`) || tight.includes(`${name}&${name}`)
    ? [{ doubt: `the function ${name} calls itself until the machine is full` }]
    : [{ unclear: `defines the function ${name}` }]
}

/** To a reader these are blanks, to bash they are letters. */
const FALSE_BLANKS = /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u3164\uffa0]/u

function ofWord({ text, parts }: Word): Finding[] {
  return FALSE_BLANKS.test(text) && FALSE_BLANKS.test(unquoted(text, parts))
    ? [{ doubt: `a character that only looks like a blank stands in ${JSON.stringify(shortened(text))}` }]
    : []
}

/** `text`: the whole line. */
function ofSubstitution(node: Extract<Node, { script: unknown; text: string }>, text: string): Finding[] {
  const found: Finding[] = []
  if (node.script === undefined) found.push({ doubt: `gopi cannot parse ${shortened(node.text)}` })
  else if (isBackticks(node)) found.push({ doubt: 'backticks hide what runs; $(…) does not' })
  else if (!/^(\$\(|[<>]\()/.test(node.text))
    found.push({ doubt: `gopi cannot tell what ${shortened(node.text)} runs` })
  else if (/<<(?!<)/.test(node.text) && !isSimple(node.script.commands.map(({ command }) => command.type)))
    found.push({ doubt: 'a here-document stands in a substitution of several commands' })
  if (node.type === 'ProcessSubstitution') {
    const around = [text[node.pos - 1] ?? ' ', text[node.end] ?? ' ']
    if (around.some(character => !/[\s;&|)]/.test(character)))
      found.push({ doubt: `gopi cannot tell what touches ${shortened(node.text)}` })
  }
  return found
}

/** Operands of these are evaluated: `[[ -v 'a[$(x)]' ]]` runs x. */
function ofTest(expression: TestExpression): Finding[] {
  const found: Finding[] = []
  const open: TestExpression[] = [expression]
  for (let test = open.pop(); test !== undefined; test = open.pop()) {
    if (test.type === 'TestLogical') open.push(...test.operands)
    else if (test.type === 'TestNot') open.push(test.operand)
    else if (test.type === 'TestGroup') open.push(test.expression)
    else if (test.type === 'TestUnary') {
      if (/^-[vR]$/.test(test.operator)) found.push({ doubt: `[[ ${test.operator} ]] evaluates its operand` })
    } else if (/^-(eq|ne|lt|le|gt|ge)$/.test(test.operator)) {
      for (const { text } of [test.left, test.right])
        found.push(...ofArithmetic(text.replace(/^"?\$(\w+)"?$/, '$1').replace(/^"?\$[?#]"?$/, '0')))
    }
  }
  return found
}

function ofArithmetic(text: string): Finding[] {
  // Two words side by side are no arithmetic: somebody meant a command.
  const isCommand = /[\w)]\s+[\w(~!](?!=)|\s\/\w+\//.test(text)
  if (isCommand || /[^\w\s+\-*/%()<>=!&|^~?:,;#]/.test(text) || !isBalanced(text))
    return [{ doubt: `arithmetic evaluates what stands in it: ${shortened(text)}` }]
  return /[a-z_]/i.test(text.replaceAll(/\b0x[\da-f]+\b|\b\d+#\w+/gi, ''))
    ? [{ unclear: 'arithmetic evaluates what the variables hold' }]
    : []
}

function ofParameter({ text, parameter, prefix, index, operation }: ParameterExpansionPart): Finding[] {
  const isPlainIndex = index === undefined || /^([@*]|\d+)$/.test(index.text)
  const isNumericSlice = operation?.type !== 'Slice' || /:\s*-?\d+(\s*:\s*-?\d+)?\}$/.test(text)
  const isPlain = /^\$\{[#!]?[\w@*#?$!-][^$`'"\\\n]*\}$/.test(text)
  if (!isPlain || !isPlainIndex || !isNumericSlice || prefix === '!' || operation?.type === 'Transform')
    return [{ doubt: `${shortened(text)} may evaluate what it holds` }]
  if (operation?.type === 'Unknown') return [{ doubt: `gopi does not know ${shortened(text)}` }]
  return operation?.type === 'Default' && /=$/.test(operation.operator)
    ? [{ sets: { name: parameter, from: text.slice(2 + parameter.length) } }]
    : []
}

function ofAssignment({ text, index, value }: Assignment): Finding[] {
  return index !== undefined || (value.type === 'ArrayValue' && /[[`$]/.test(text))
    ? [{ doubt: `a subscript is evaluated: ${shortened(text)}` }]
    : []
}

function ofRedirect({ operator, target, descriptor }: Redirect): Finding[] {
  const found: Finding[] = []
  if (target === undefined) found.push({ doubt: 'a redirect has no target' })
  if (descriptor?.type === 'FileDescriptorVariable') found.push({ doubt: 'a redirect sets a variable' })
  if (operator !== '>&' && operator !== '<&') return found
  const text = target?.text ?? ''
  const isName = operator === '>&' && /^[\w./~][\w./-]*$/.test(text)
  if (!/^(\d+|-)$/.test(text) && !isName)
    found.push({ doubt: `gopi cannot tell what ${operator}${text} does` })
  return found
}

function ofHereDoc({ closing, delimiter, body }: HereDoc): Finding[] {
  if (closing === undefined || delimiter === undefined) return [{ doubt: 'a here-document has no end' }]
  if (
    delimiter.quoted ||
    !/`|\$[({['"]/.test(body.text.replaceAll(/\\[\s\S]/g, '').replaceAll(/\$\{\w+\}/g, ''))
  )
    return []
  return [{ doubt: 'a here-document runs what stands in it (quote its delimiter)' }]
}
