/** find and fd: what they look for is harmless, what they do with it may not be. */
import type { ShellWord } from '../../shell/line.ts'
import { isOneWord } from '../../shell/word.ts'
import { FIND_RUNS, isFdRun } from '../handed-on.ts'
import type { Verdict } from '../verdict.ts'

/** No rule speaks for it. */
const never = (why: string): Verdict => ({ changes: why, unclear: why })

const FIND_TESTS: ReadonlySet<string> = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size
  -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -perm -user -group -links -samefile -inum
  -printf`.split(/\s+/),
)
const FIND_FLAGS: ReadonlySet<string> = new Set(
  `-L -H -P -E -s -x -d -empty -print -print0 -not ! -o -or -a -and ( ) , -prune -ls -quit -follow -xdev -mount
  -depth -true -false -readable -writable -executable -noleaf -nouser -nogroup -daystart`.split(/\s+/),
)
export function judgeFind(words: readonly ShellWord[]): Verdict {
  const starts: ShellWord[] = []
  let inStarts = true
  for (let n = 0; n < words.length; n++) {
    const word = words[n] as ShellWord
    const { value, text } = word
    if (value === undefined) return never(`gopi cannot tell what \`find ${text}\` does`)
    if (FIND_RUNS.has(value)) return never(`\`find ${value}\` runs another program`)
    if (value === '-delete') return never('`find -delete` deletes what it finds')
    if (/^-f(ls|print|print0|printf)$|^-files0-from$/.test(value))
      return never(`\`find ${value}\` writes a file`)
    if (FIND_TESTS.has(value) || /^-newer[aBcmt]{2}$/.test(value)) {
      const operand = words[++n]
      // Unquoted, it may become several words: `a -delete`.
      if (operand && !isOneWord(operand)) return never(`gopi cannot tell what \`find ${operand.text}\` does`)
    } else if (!FIND_FLAGS.has(value)) {
      if (value.startsWith('-') || !inStarts)
        return { changes: `\`find ${value}\` is not known to only read` }
      starts.push(word)
      continue
    }
    if (!/^-[LHPEsxd]$/.test(value)) inStarts = false
  }
  return { reads: starts, here: starts.length === 0, lists: true }
}

/** undefined: it is given no program to run. */
export function judgeFd(words: readonly ShellWord[]): Verdict | undefined {
  const run = words.find(({ value, text }) => isFdRun(value ?? text))
  return run && never(`\`fd ${run.text}\` runs another program`)
}
