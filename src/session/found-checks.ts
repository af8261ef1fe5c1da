/** What a project itself says of how it is checked. Nothing of it runs before the person wants it. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fieldsOf, parseRecord } from '../text/record.ts'

const MOST_BYTES = 1_000_000
const SCRIPTS = ['check', 'typecheck', 'lint', 'test']

/** Glob → commands, as they stand in the configuration. */
export function foundChecks(cwd: string): Record<string, string[]> {
  const has = (name: string) => existsSync(path.join(cwd, name))
  const found: Record<string, string[]> = {}
  const scripts = fieldsOf(parseRecord(textOf(path.join(cwd, 'package.json')))?.scripts)
  const named = SCRIPTS.filter(
    name => typeof scripts[name] === 'string' && !/no test specified/.test(String(scripts[name])),
  )
  const javascript = '**/*.{ts,tsx,js,jsx,mjs,cjs}'
  if (named.length > 0) found[javascript] = named.map(name => `npm run --silent ${name}`)
  else if (has('tsconfig.json')) found['**/*.{ts,tsx}'] = ['npx tsc --noEmit']
  if (has('go.mod')) found['**/*.go'] = ['go vet ./...', 'go test ./...']
  if (has('Cargo.toml')) found['**/*.rs'] = ['cargo check --quiet', 'cargo test --quiet']
  if (has('pyproject.toml')) found['**/*.py'] = ['python3 -m pytest -q']
  const targets = [...textOf(path.join(cwd, 'Makefile')).matchAll(/^(check|test|lint):/gm)].map(
    ([, name]) => name,
  )
  if (Object.keys(found).length === 0 && targets[0]) found['**'] = [`make ${targets[0]}`]
  return found
}

/** Empty where there is no such file, or no plain one. */
function textOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats?.isFile() && stats.size <= MOST_BYTES ? readFileSync(file, 'utf8') : ''
}
