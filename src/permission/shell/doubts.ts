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
import type { Said } from '../../protocol/sayings.ts'
import { isBalanced } from '../../text/balanced.ts'
import { said } from '../../words/sayings/said.ts'
import { unquoted } from './word.ts'

/** Node types that evaluate nothing by themselves: their children are visited. */
const PLAIN: ReadonlySet<string> = new Set(
  `Statement CompoundList CaseItem Elif AndOr If While For Select Subshell BraceGroup Case Literal Glob SingleQuoted
  DoubleQuoted LocaleString SimpleExpansion ExtendedGlob BraceExpansion ArrayValue HereString FileDescriptor
  FileDescriptorVariable HereDocDelimiter HereDocBody Time Negation ArithmeticBinary ArithmeticUnary ArithmeticTernary
  ArithmeticGroup ArithmeticWord Command Redirected TestUnary TestBinary TestLogical TestNot TestGroup Default Remove Replace Slice
  CaseModification Transform Names Unknown`.split(/\s+/),
)

/** `text`: the whole line. */
export function doubtsOf(node: Node, text: string): Said[] {
  switch (node.type) {
    case 'Script':
      return node.errors?.length
        ? [said('permission.not_parsed', { problem: String(node.errors[0]?.message) })]
        : []
    case 'Word':
      return ofWord(node)
    case 'Function':
      return ofFunction(node.name.text, text.slice(node.body.pos, node.body.end))
    case 'For':
    case 'Select':
      return /^([A-Z_]{2,}|histchars|auto_resume)$/.test(node.name.text)
        ? [said('permission.may_steer', { name: node.name.text })]
        : []
    case 'AnsiCQuoted':
      // To bash the two characters stand there as they are.
      return /\\\n/.test(node.text) ? [said('permission.broken_line', {})] : []
    case 'Coproc':
      return [said('permission.coproc', {})]
    case 'CommandExpansion':
    case 'ArithmeticCommandExpansion':
    case 'ProcessSubstitution':
      return ofSubstitution(node, text)
    case 'Pipeline':
      return node.prefixes.some(({ type }) => type === 'Time') && node.commands[0]?.type === 'TestCommand'
        ? [said('permission.what_does', { what: '`time [[`' })]
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
      return PLAIN.has(node.type) ? [] : [said('permission.unknown_construct', { type: node.type })]
  }
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text)

export const isBackticks = (node: Node): boolean =>
  node.type === 'CommandExpansion' && node.text.startsWith('`')

const isSimple = (types: string[]): boolean => types.length === 1 && types[0] === 'Command'

/** A function that calls itself twice at once fills the machine with processes. */
function ofFunction(name: string, body: string): Said[] {
  const tight = body.replaceAll(/\s/g, '')
  return tight.includes(`${name}|${name}`) || tight.includes(`${name}&${name}`)
    ? [said('permission.endless_function', { name })]
    : []
}

/** To a reader these are blanks, to bash they are letters. */
const FALSE_BLANKS = /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u3164\uffa0]/u

function ofWord({ text, parts }: Word): Said[] {
  return FALSE_BLANKS.test(text) && FALSE_BLANKS.test(unquoted(text, parts))
    ? [said('permission.blank_lookalike', { what: JSON.stringify(shortened(text)) })]
    : []
}

/** `text`: the whole line. */
function ofSubstitution(node: Extract<Node, { script: unknown; text: string }>, text: string): Said[] {
  const found: Said[] = []
  if (node.script === undefined) found.push(said('permission.cannot_parse', { what: shortened(node.text) }))
  else if (isBackticks(node)) found.push(said('permission.backticks', {}))
  else if (!/^(\$\(|[<>]\()/.test(node.text))
    found.push(said('permission.what_runs', { what: shortened(node.text) }))
  else if (/<<(?!<)/.test(node.text) && !isSimple(node.script.commands.map(({ command }) => command.type)))
    found.push(said('permission.substituted_document', {}))
  if (node.type === 'ProcessSubstitution') {
    const around = [text[node.pos - 1] ?? ' ', text[node.end] ?? ' ']
    if (around.some(character => !/[\s;&|)]/.test(character)))
      found.push(said('permission.what_touches', { what: shortened(node.text) }))
  }
  return found
}

/** Operands of these are evaluated: `[[ -v 'a[$(x)]' ]]` runs x. */
function ofTest(expression: TestExpression): Said[] {
  const found: Said[] = []
  const open: TestExpression[] = [expression]
  for (let test = open.pop(); test !== undefined; test = open.pop()) {
    if (test.type === 'TestLogical') open.push(...test.operands)
    else if (test.type === 'TestNot') open.push(test.operand)
    else if (test.type === 'TestGroup') open.push(test.expression)
    else if (test.type === 'TestUnary') {
      if (/^-[vR]$/.test(test.operator))
        found.push(said('permission.test_evaluates', { operator: test.operator }))
    } else if (/^-(eq|ne|lt|le|gt|ge)$/.test(test.operator)) {
      for (const { text } of [test.left, test.right])
        found.push(...ofArithmetic(text.replace(/^"?\$(\w+)"?$/, '$1').replace(/^"?\$[?#]"?$/, '0')))
    }
  }
  return found
}

function ofArithmetic(text: string): Said[] {
  // Two words side by side are no arithmetic: somebody meant a command.
  const isCommand = /[\w)]\s+[\w(~!](?!=)|\s\/\w+\//.test(text)
  if (isCommand || /[^\w\s+\-*/%()<>=!&|^~?:,;#]/.test(text) || !isBalanced(text))
    return [said('permission.arithmetic', { what: shortened(text) })]
  return []
}

function ofParameter({ text, prefix, index, operation }: ParameterExpansionPart): Said[] {
  const isPlainIndex = index === undefined || /^([@*]|\d+)$/.test(index.text)
  const isNumericSlice = operation?.type !== 'Slice' || /:\s*-?\d+(\s*:\s*-?\d+)?\}$/.test(text)
  const isPlain = /^\$\{[#!]?[\w@*#?$!-][^$`'"\\\n]*\}$/.test(text)
  if (!isPlain || !isPlainIndex || !isNumericSlice || prefix === '!' || operation?.type === 'Transform')
    return [said('permission.may_evaluate_held', { what: shortened(text) })]
  return operation?.type === 'Unknown'
    ? [said('permission.unknown_expansion', { what: shortened(text) })]
    : []
}

function ofAssignment({ text, index, value }: Assignment): Said[] {
  return index !== undefined || (value.type === 'ArrayValue' && /[[`$]/.test(text))
    ? [said('permission.subscript', { what: shortened(text) })]
    : []
}

function ofRedirect({ operator, target, descriptor }: Redirect): Said[] {
  const found: Said[] = []
  if (target === undefined) found.push(said('permission.redirect_nowhere', {}))
  if (descriptor?.type === 'FileDescriptorVariable') found.push(said('permission.redirect_sets', {}))
  if (operator !== '>&' && operator !== '<&') return found
  const text = target?.text ?? ''
  const isName = operator === '>&' && /^[\w./~][\w./-]*$/.test(text)
  if (!/^(\d+|-)$/.test(text) && !isName)
    found.push(said('permission.what_does', { what: `${operator}${text}` }))
  return found
}

function ofHereDoc({ closing, delimiter, body }: HereDoc): Said[] {
  if (closing === undefined || delimiter === undefined) return [said('permission.endless_document', {})]
  if (
    delimiter.quoted ||
    !/`|\$[({['"]/.test(body.text.replaceAll(/\\[\s\S]/g, '').replaceAll(/\$\{\w+\}/g, ''))
  )
    return []
  return [said('permission.running_document', {})]
}
