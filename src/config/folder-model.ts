/** The model that a person has chosen in a folder, for the next time there: `folders.json` in gopi's home. */
import path from 'node:path'
import { readOwn, replaceOwn } from '../memory/own-file.ts'

/** Folders that are remembered, the last ones. */
const mostFolders = 500

export const folderModel = (home: string, cwd: string): string | undefined => modelsIn(home)[cwd]

/** What cannot be kept is not there next time. */
export function keepFolderModel(home: string, cwd: string, model: string): void {
  const { [cwd]: _, ...others } = modelsIn(home)
  const models = Object.fromEntries([...Object.entries(others), [cwd, model]].slice(-mostFolders))
  replaceOwn(path.join(home, 'folders.json'), Buffer.from(`${JSON.stringify({ models }, null, 2)}\n`))
}

function modelsIn(home: string): Record<string, string> {
  try {
    const { models } = JSON.parse(readOwn(path.join(home, 'folders.json'))?.toString() ?? '{}') as {
      models?: Record<string, unknown>
    }
    const known = Object.entries(models ?? {}).filter(([, model]) => typeof model === 'string')
    return Object.fromEntries(known) as Record<string, string>
  } catch {
    return {}
  }
}
