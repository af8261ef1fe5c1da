/** What the folders of skills and commands bring. Nothing of it is loaded where there is no such folder. */
import type { Source } from '../source.ts'
import { type FolderOptions, rootsOf } from './roots.ts'

/** The nearest last. */
export async function folderSources(options: FolderOptions): Promise<Source[]> {
  const [skillRoots, commandRoots] = [rootsOf('skills', options), rootsOf('commands', options)]
  if (skillRoots.length + commandRoots.length === 0) return []
  const { loadFolders } = await import('./load.ts')
  return loadFolders(skillRoots, commandRoots, options)
}
