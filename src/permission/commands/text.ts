/**
 * Programs that run text: code, an editor's commands, options that name a program. Nobody here reads those languages; what
 * looks like a command or a file in them is looked at all the same, so that the worst of it is not overlooked. It can make
 * a call ask, never run.
 */
import { plainWord, type ShellWord } from '../shell/line.ts'
import { programOf } from '../shell/programs.ts'

const RUNS_TEXT = new RegExp(
  `^(${[
    'python[\\d.]*|pypy[\\d.]*|perl|ruby|irb|node|nodejs|deno|bun|php|lua|luajit|tclsh|osascript|pwsh|powershell|cmd|nu|elvish|xonsh',
    'g?awk|mawk|nawk|sed|vi|vim|nvim|view|ex|ed|emacs|gdb|lldb|sqlite3|psql|mysql|less|man|expect',
    'tar|bsdtar|zip|rsync|scp|sftp|ssh|wget|curl|sort|rg|split|nc|ncat|apt|apt-get|tcpdump',
    'make|gmake|ninja|gcc|g\\+\\+|cc|clang|go|cargo|bind|compgen|complete|mapfile|readarray|fc',
  ].join('|')})$`,
)

/** What git runs is told by these. */
const GIT_RUNS = /^(-c.*|--config-env.*|config|difftool|mergetool|filter-branch)$/s

/** The texts that such a call is given, `input` among them; none for other programs. */
export function textsOf(words: readonly ShellWord[], input: string | undefined): string[] {
  const name = programOf(words)
  const runs = name === 'git' ? GIT_RUNS.test(words[1]?.value ?? '') : RUNS_TEXT.test(name)
  if (!runs) return []
  return [...words.slice(1).map(({ value, text }) => value ?? text), ...(input === undefined ? [] : [input])]
}

const SEPARATORS = /[`'"();|&!\n{}=[\],<>]+/
/** So many words of a command are enough to see what it does. */
const LONGEST = 20

/** What may be commands in a text: `system("rm -rf x")` holds `rm -rf x`. `home`: what `~` stands for. */
export function commandsIn(text: string, home: string): ShellWord[][] {
  const joined = text.replaceAll(/['"]\s*,\s*\[?\s*['"]/g, ' ')
  return joined.split(SEPARATORS).flatMap(segment => {
    const words = segment
      .trim()
      .split(/\s+/, LONGEST + 1)
      .filter(word => word !== '')
      .map(word => readPlain(word, home))
    // `.shell rm x`, `1e rm x`: a word of the language may stand before it.
    return [words, words.slice(1)].filter(([first]) => first !== undefined && /^[\w./~+-]+$/.test(first.text))
  })
}

function readPlain(text: string, home: string): ShellWord {
  const value = text.replace(/^~(?=$|\/)/, home)
  return { text, value: /[$\\]/.test(text) ? undefined : value, glob: /[*?]/.test(text) }
}

/** What may be names of files in a text: quoted, or with a slash or a dot where a path has them. */
export function filesIn(text: string, home: string): ShellWord[] {
  const quoted = [...text.matchAll(/(["'`])([^"'`\s]+)\1/g)].map(([, , inner = '']) => inner)
  const bare = text
    .split(/[\s`'"();|&!{}=,<>[\]]+/)
    .map(token => token.replace(/^[\d,$]*[rRwW](?=[.~])/, ''))
    .filter(token => /^[.~]|\//.test(token))
  return [...quoted, ...bare].map(name => plainWord(name.replace(/^~(?=$|\/)/, home)))
}
