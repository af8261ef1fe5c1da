/** Whether a change has broken a file's syntax: what was broken before is no news. */

import { javascriptProblem } from './javascript.ts'
import { type Language, languageOf } from './languages.ts'
import { indentProblem } from './python.ts'
import { type Problem, scan } from './scan.ts'
import { tomlProblem } from './toml.ts'

/** Bigger files are not looked at: a check must not be felt. */
const maxLength = 1024 * 1024

/** What is told of a changed file, with a blank before it; empty: nothing. `before`: undefined for a new file. */
export async function sayBroken(
  file: string,
  { before, after }: { before: string | undefined; after: string },
): Promise<string> {
  const language = languageOf(file)
  if (!language || after.length > maxLength || (before?.length ?? 0) > maxLength || after.trim() === '')
    return ''
  const found = await compare(file, language, { before, after })
  if (!found) return ''
  return ` Its syntax is broken now, and was not before: line ${found.line}: ${found.what}.`
}

async function compare(
  file: string,
  language: Language,
  { before, after }: { before: string | undefined; after: string },
): Promise<Problem | undefined> {
  for (const check of checksOf(file, language)) {
    const problem = await check(after)
    // A text that cannot be read by this check at all says nothing; the next one may.
    if (problem && (before === undefined || before.trim() === '' || !(await check(before)))) return problem
  }
  return undefined
}

type Check = (text: string) => Problem | undefined | Promise<Problem | undefined>

function checksOf(file: string, language: Language): Check[] {
  switch (language.name) {
    case 'json':
      return [text => jsonProblem(text, file)]
    case 'yaml':
      return [yamlProblem]
    case 'toml':
      return [tomlProblem]
    case 'javascript':
      return [
        text => {
          const { problem, quoted } = scan(text, language)
          return javascriptProblem(text, quoted) && (problem ?? javascriptProblem(text, quoted))
        },
        text => scan(text, language).problem,
      ]
    case 'python':
      return [
        text => scan(text, language).problem,
        text => {
          const { problem, quoted } = scan(text, language)
          return problem ? undefined : indentProblem(text, quoted)
        },
      ]
    default:
      return [text => scan(text, language).problem]
  }
}

/** Comments and last commas are allowed where programs allow them. */
function jsonProblem(given: string, file: string): Problem | undefined {
  const text = given.replace(/^\ufeff/, '')
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    if (
      /(?:^|\/)(?:[tj]sconfig[^/]*|\.eslintrc|settings|launch|tasks|extensions|devcontainer)\.json$/.test(
        file,
      )
    )
      return scan(text, commented).problem
    const message = error instanceof Error ? error.message : String(error)
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length)
    const line = text.slice(0, position).split('\n').length
    return {
      line,
      what: message.replace(/,? ?"[\s\S]*" is not valid JSON$|in JSON at position.*$/s, 'in JSON').trim(),
    }
  }
}

const commented: Language = {
  name: 'json',
  lineComment: ['//'],
  blockComment: ['/*', '*/'],
  quotes: '"',
  long: [],
}

async function yamlProblem(text: string): Promise<Problem | undefined> {
  const { LineCounter, parseAllDocuments } = await import('yaml')
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, { lineCounter: lines, logLevel: 'silent', strict: true })
  const error = Array.isArray(documents) ? documents.flatMap(({ errors }) => errors)[0] : undefined
  if (!error) return undefined
  return { line: lines.linePos(error.pos[0]).line, what: error.message.split(/ at line|\n/)[0]! }
}
