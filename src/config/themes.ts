/** Themes of a person's own: files in the folder `themes` of gopi's home, one each. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../protocol/errors.ts'
import { THEMES } from './config.ts'
import { readConfigFile } from './file.ts'
import type { WrittenTheme } from './themes-schema.ts'

const ENDING = '.yaml'

/** Their names. */
export function ownThemes(home: string): string[] {
  try {
    return readdirSync(path.join(home, 'themes'))
      .filter(name => name.endsWith(ENDING))
      .map(name => name.slice(0, -ENDING.length))
      .sort()
  } catch {
    return [] // There is no such folder.
  }
}

const fileOf = (home: string, name: string): string => path.join(home, 'themes', `${name}${ENDING}`)

/** What is wrong with the name of a theme: a sentence, or undefined where there is one of that name. */
export function themeProblem(home: string, name: string): string | undefined {
  if ((THEMES as readonly string[]).includes(name) || existsSync(fileOf(home, name))) return undefined
  const known = [...THEMES, ...ownThemes(home)].join(', ')
  return `tui.theme: expected one of ${known}, or the name of a file in ${path.join(home, 'themes')}; came ${JSON.stringify(name)}`
}

/** `styles`: the names of those that there are. Rejects with `UsageError`: every problem of the file with its line. */
export async function readTheme(
  home: string,
  name: string,
  styles: readonly string[],
): Promise<WrittenTheme> {
  const file = fileOf(home, name)
  const content = readConfigFile(file)
  if ('absent' in content) throw new UsageError(`${file}: expected a theme; there is none`)
  if ('problem' in content) throw new UsageError(content.problem.message)
  const { checkTheme } = await import('./themes-schema.ts')
  const { theme, problems } = checkTheme(content.text, file, styles)
  if (problems.length > 0) throw new UsageError(problems)
  return theme
}
