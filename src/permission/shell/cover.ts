/** Tells the coverage what a node of the tree accounts for. */
import type { SyntaxNode as Node } from 'unbash'
import { isBackticks } from './doubts.ts'
import type { Coverage } from './gate.ts'

/** `text`: the whole line. */
export function cover(coverage: Coverage, node: Node, text: string): void {
  switch (node.type) {
    case 'Word':
    case 'Assignment':
    case 'Redirect':
    case 'HereString':
    case 'Time':
    case 'Negation':
    case 'TestCommand':
      coverage.token(node)
      break
    case 'ArithmeticCommand':
      coverage.token(node)
      coverage.quiet(node, 2)
      break
    case 'ArithmeticFor': {
      const end = text.slice(0, node.body.pos).lastIndexOf('))') + 2
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
