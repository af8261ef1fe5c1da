/** What a folder holds, to the last file: for whoever has to know all of it before it is used. */
import { readdirSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { isInside } from './inside.ts'
import { realTarget } from './real.ts'

export interface Tree {
  /** Regular files, relative to the folder, in a fixed order. */
  files: string[]
  /** Links, relative to the folder, with what stands in them. */
  links: { name: string; to: string; isOutside: boolean }[]
  /** There is more in it than was looked at. */
  isCut: boolean
}

/** `folder` is a real path. Links are named and not followed; what cannot be read holds nothing. At most `most` entries. */
export function treeOf(folder: string, most = 2_000): Tree {
  const tree: Tree = { files: [], links: [], isCut: false }
  const folders = ['']
  let seen = 0
  for (const prefix of folders) {
    for (const entry of entriesOf(path.join(folder, prefix))) {
      if (++seen > most) return { ...tree, isCut: true }
      const name = path.join(prefix, entry.name)
      const file = path.join(folder, name)
      if (entry.isDirectory()) folders.push(name)
      else if (entry.isFile()) tree.files.push(name)
      else if (entry.isSymbolicLink())
        tree.links.push({ name, to: readlinkSync(file), isOutside: !isInside(realTarget(file), folder) })
    }
  }
  return tree
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
