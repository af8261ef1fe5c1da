/** find: what it looks for is harmless, what it does with it may not be. */
import { said } from '../../../words/sayings/said.ts'
import type { Reading } from '../../judge/judged.ts'
import { isSource } from './search.ts'

const TESTS: ReadonlySet<string> = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size
  -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -perm -user -group -links -samefile -inum
  -printf`.split(/\s+/),
)
const FLAGS: ReadonlySet<string> = new Set(
  `-L -H -P -E -s -x -d -empty -print -print0 -not ! -o -or -a -and ( ) , -prune -ls -quit -follow -xdev -mount
  -depth -true -false -readable -writable -executable -noleaf -nouser -nogroup -daystart`.split(/\s+/),
)

/** What of it reads nothing but names; `runs`: the program of an `-exec` at its end, with its words up to the `{}`. */
export function judgeFind(words: readonly string[]): Reading & { runs?: readonly string[] } {
  const starts: string[] = []
  let inStarts = true
  // With these it goes where links lead.
  const follows = words.some(word => /^-(L|follow)$/.test(word))
  const reading: Reading = { lists: true, ...(follows && { deep: 'links' }) }
  for (let n = 0; n < words.length; n++) {
    const word = words[n] ?? ''
    if (word === '-exec') {
      const runs = words.slice(n + 1, -2)
      const isLast = words.at(-2) === '{}' && /^[;+]$/.test(words.at(-1) ?? '')
      if (isLast && runs.length > 0 && !runs.some(inner => /\{\}|^[;+]$/.test(inner)))
        return { ...reading, reads: starts, here: starts.length === 0, runs }
    }
    if (TESTS.has(word) || /^-newer[aBcmt]{2}$/.test(word)) n++
    else if (!FLAGS.has(word)) {
      if (word.startsWith('-') || !inStarts)
        return { changes: said('permission.not_only_reads', { what: `\`find ${word}\`` }) }
      starts.push(word)
      continue
    }
    if (!/^-[LHPEsxd]$/.test(word)) inStarts = false
  }
  return { ...reading, reads: starts, here: starts.length === 0 }
}

/** Whether all that it finds has the name of a source file. */
export function findsPlainFiles(words: readonly string[]): boolean {
  const at = words.findIndex(word => word === '-name' || word === '-iname')
  return at >= 0 && !words.some(word => /^(-o|-or|,|-not|!)$/.test(word)) && isSource(words[at + 1] ?? '')
}
