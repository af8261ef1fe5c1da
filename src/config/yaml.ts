/** A file of config.yaml's shape: text → values, or every problem with its file and line. Loads yaml and zod. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type YAMLError,
} from 'yaml'
import { checkConfig, type Problem, said } from './schema.ts'
import type { Values } from './settings.ts'

/** After a slip in the syntax the parser stumbles on: what it says later is rarely about the file. */
const MOST_SYNTAX_PROBLEMS = 5

/** What can be used, and what is wrong with the rest: whole sentences in the order of the file's lines. */
export interface CheckedYaml {
  values: Values
  problems: string[]
}

/** `file` is how the file is called in the problems. */
export function checkYaml(text: string, file: string): CheckedYaml {
  const { values, problems } = readYaml<Values>(text, file, checkConfig, valuesWithout)
  return { values: values ?? {}, problems }
}

/**
 * A file of any shape: what `check` says of its tree, problems with their lines. `rest`: what can be used of a tree with
 * problems.
 */
export function readYaml<T>(
  text: string,
  file: string,
  check: (tree: unknown) => { values: T } | { problems: Problem[] },
  rest?: (tree: unknown, problems: readonly Problem[]) => T,
): { values: T | undefined; problems: string[] } {
  try {
    const lines = new LineCounter()
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
    let values: T | undefined
    const slips = [...document.errors, ...document.warnings]
    const found: [offset: number, sentence: string][] = slips
      .slice(0, MOST_SYNTAX_PROBLEMS)
      .map(slip => [slip.pos[0], `: ${sentence(slip, text)}`])
    if (slips.every(slip => slip.code === 'DUPLICATE_KEY')) {
      const checked = check(document.toJS())
      values = 'values' in checked ? checked.values : rest?.(document.toJS(), checked.problems)
      const problems = 'problems' in checked ? checked.problems : []
      found.push(...problems.map((problem): [number, string] => [offsetOf(document, problem), said(problem)]))
    }
    found.sort(([a], [b]) => a - b)
    const problems = found.map(([offset, sentence]) => `${file}:${lines.linePos(offset).line}${sentence}`)
    return { values, problems }
  } catch (error) {
    // Aliases that multiply, nesting that exhausts the stack: the parser throws instead of reporting.
    return {
      values: undefined,
      problems: [`${file}: expected YAML that can be read; came: ${(error as Error).message}`],
    }
  }
}

/** What is left of a tree without its problems. */
function valuesWithout(tree: unknown, problems: readonly Problem[]): Values {
  const paths = new Set(problems.map(({ path }) => JSON.stringify(path)))
  const without = (value: unknown, path: readonly string[]): unknown => {
    if (paths.has(JSON.stringify(path))) return undefined
    if (typeof value !== 'object' || value === null) return value
    const kept = Object.entries(value)
      .map(([key, inner]) => [key, without(inner, [...path, key])] as const)
      .filter(([, inner]) => inner !== undefined)
    return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept)
  }
  const checked = checkConfig(without(tree, []))
  return 'values' in checked ? checked.values : {}
}

function sentence(slip: YAMLError, text: string): string {
  const [key] = /^[^\s:]*/.exec(text.slice(slip.pos[0], slip.pos[0] + 80)) ?? []
  if (slip.code === 'DUPLICATE_KEY') return `the key ${key} stands here for the second time; keep one`
  return `this is no YAML: ${slip.message}`
}

/** Where the key (or list item) at the path, or the nearest thing around it, begins in the text. */
function offsetOf(document: Document, { path }: Problem): number {
  let node: unknown = document.contents
  let offset = document.contents?.range?.[0] ?? 0
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document)
    if (isMap(node)) {
      const pair = node.items.find(item => String(isScalar(item.key) ? item.key.value : item.key) === key)
      offset = isScalar(pair?.key) ? (pair.key.range?.[0] ?? offset) : offset
      node = pair?.value
    } else if (isSeq(node)) {
      node = node.items[Number(key)]
      offset = isScalar(node) || isMap(node) || isSeq(node) ? (node.range?.[0] ?? offset) : offset
    }
  }
  return offset
}
