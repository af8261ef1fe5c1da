/**
 * Sets one key of a config file, or looks whether there is such a one. Everything else stays, comments included; only
 * white space becomes what yaml makes of it.
 * Import it lazily: it loads yaml.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isMap, isScalar, parse, parseDocument } from 'yaml'
import { replaceWhole } from '../memory/own-file.ts'
import { realTarget } from '../paths/real.ts'
import { UsageError } from '../protocol/errors.ts'
import { readConfigFile } from './file.ts'
import { checkYaml } from './yaml.ts'

/** Before and after. */
export interface Changed {
  before: string
  after: string
}

/** What the file would be with `key` (`ollama.model`) set to what `value` is as YAML. Throws `UsageError`. */
export function withKey(file: string, key: string, value: string): Changed {
  const content = readConfigFile(file)
  if ('problem' in content) throw new UsageError(content.problem.message)
  const before = 'text' in content ? content.text : ''
  const document = parseDocument(before, { logLevel: 'error' })
  if (document.errors.length > 0)
    throw new UsageError(`${file}: expected YAML; mend it, then keys can be set`)
  const path = key.split('.')
  // A section whose lines are all commented out is null to YAML.
  for (let depth = 1; depth < path.length; depth++) {
    const section = path.slice(0, depth)
    const old = document.getIn(section, true)
    if (isMap(old) || !document.hasIn(section)) continue
    const map = document.createNode({})
    map.comment = isScalar(old) ? (old.comment ?? null) : null
    document.setIn(section, map)
  }
  const wanted = document.createNode(yamlOf(value))
  const old = document.getIn(path, true)
  if (isScalar(old) && isScalar(wanted)) wanted.comment = old.comment ?? null
  document.setIn(path, wanted)
  const after = document.toString({ lineWidth: 0, flowCollectionPadding: false })
  const { problems } = checkYaml(after, file)
  if (problems.length > 0) throw new UsageError(problems)
  return { before, after }
}

/** Throws `UsageError` if there is no key of that name; one that is only not set is fine. */
export function checkKey(key: string): void {
  const asked = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), null)
  const { problems } = checkYaml(JSON.stringify(asked), 'gopi config get')
  const wrong = problems.filter(problem => !problem.endsWith('; came nothing'))
  if (wrong.length > 0) throw new UsageError(wrong)
}

/** Replaces the file at once; what it was stays beside it, as `.bak`. Throws what the system says. */
export function writeKey(file: string, { before, after }: Changed): void {
  const target = realTarget(file)
  if (existsSync(target)) {
    if (readFileSync(target, 'utf8') !== before)
      throw new UsageError(`${file} has changed meanwhile; try again`)
    writeFileSync(`${target}.bak`, before, { mode: 0o600 })
  }
  replaceWhole(target, Buffer.from(after))
}

function yamlOf(text: string): unknown {
  try {
    return parse(text) as unknown
  } catch {
    return text
  }
}
