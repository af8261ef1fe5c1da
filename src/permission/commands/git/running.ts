/** What makes a call of git run another program, or destroy what nobody can get back. */
import path from 'node:path'
import type { ShellWord } from '../../shell/line.ts'

/** Options that run another program, write a file, or leave checks out; so do their beginnings, which git takes too. */
const RUNNING = [
  ...[
    '--exec',
    '--upload-pack',
    '--receive-pack',
    '--no-verify',
    '--template',
    '--config',
    '--output',
    '--ext-diff',
  ],
  ...[
    '--textconv',
    '--open-files-in-pager',
    '--show-signature',
    '--no-index',
    '--exec-path',
    '--remote',
    '--filters',
  ],
  ...[
    '--output-directory',
    '--gpg-sign',
    '--unsafe-paths',
    '--edit-description',
    '--extcmd',
    '--interactive',
    '--help',
  ],
]
/** Their short forms, by subcommand. */
const SHORT: Readonly<Record<string, string>> = {
  commit: 'nS',
  rebase: 'xiS',
  merge: 'S',
  'cherry-pick': 'S',
  revert: 'S',
  tag: 'suv',
  grep: 'O',
  diff: 'O',
  log: 'O',
  show: 'O',
  clone: 'uc',
  fetch: 'u',
  'format-patch': 'o',
  archive: 'o',
}
const STRATEGIES = /^(ours|recursive|ort|resolve|octopus|subtree)$/

/** The usual way to write a message of many lines: one word, which holds what stands between the delimiters. */
const LITERAL = /^"\$\(cat <<-?'(\w+)'\n(?:(?!\s*\1\n)[^\n]*\n)*\s*\1\n\s*\)"$/

/** Why no rule speaks for such a call. */
export function runningOption(name: string, words: readonly ShellWord[]): string | undefined {
  for (const [n, { value, text }] of words.entries()) {
    if (value === undefined) {
      if (/^-[a-z]*m$|^--message$/.test(words[n - 1]?.value ?? '') && LITERAL.test(text)) continue
      if (/^["$]/.test(text) || /^\W/.test(text)) return `gopi cannot tell what \`git ${name} ${text}\` does`
      continue
    }
    if (/^[\w+]+::/.test(value)) return `\`${value}\` makes git run another program`
    if (/%G|%\(signature/.test(value) && /^(--(format|pretty)|%|format:)/.test(value))
      return `\`git ${name} ${value}\` runs gpg`
    const strategy =
      /^--strategy=(.*)$/.exec(value)?.[1] ??
      (/^(-s|--strategy)$/.test(value) ? words[n + 1]?.value : undefined)
    if (
      /^(merge|rebase|cherry-pick|revert|pull)$/.test(name) &&
      strategy !== undefined &&
      !STRATEGIES.test(strategy)
    )
      return `\`git ${name} ${text}\` runs another program`
    const option = value.replace(/=[\s\S]*/, '')
    const isLong = option.length > 3 && RUNNING.some(known => known.startsWith(option))
    const short = Object.hasOwn(SHORT, name) ? SHORT[name] : undefined
    const isShort =
      short !== undefined && new RegExp(`^-[A-Za-z]*?[${short}]`).test(option) && !/^-[mCcF]/.test(option)
    if (isLong || isShort || (name === 'tag' && '--verify'.startsWith(option) && option.length > 3))
      return `\`git ${name} ${option}\` runs another program, writes a file or leaves checks out`
  }
  return undefined
}

/** Settings that make git run nothing. */
const HARMLESS_SETTING =
  /^(user\.(name|email)|init\.defaultbranch|(pull|push|fetch|merge|rebase|branch|color|advice|rerere|status|log)\.[\w./-]+|core\.(autocrlf|eol|filemode|ignorecase|quotepath|longpaths|abbrev))$/i

/** Why a `git config` is like an edit of `.git/config`, which is protected. */
export function steeringConfig(words: readonly ShellWord[]): string | undefined {
  const values = words.map(({ value, text }) => value ?? text)
  const isElsewhere = values.some(value => /^(--(glo|sys|fil|blo|edi|rena|remove)|-f|-e)/.test(value))
  const key = values.find(value => !/^(-|(set|get|unset|list|edit)$)/.test(value))
  return isElsewhere || (key !== undefined && !HARMLESS_SETTING.test(key))
    ? `\`git config ${values.join(' ')}\` may decide what git runs`
    : undefined
}

/** All of the working tree, or what it lies in. */
const EVERYTHING = /^(\.{1,2}\/?|:\/?|\*{1,2}|:\(top\).*)$/

/** Why a call is of the hard class. */
export function hardCall(name: string, words: readonly ShellWord[]): string | undefined {
  const values = words.map(({ value, text }) => path.posix.normalize(value ?? text))
  const has = (pattern: RegExp) => values.some(value => pattern.test(value))
  const [first = ''] = values.filter(value => !value.startsWith('-'))
  switch (name) {
    case 'push':
      return has(/^(--for|--mir|--del|--prun|-[a-zA-Z]*[fd]|\+|:.)/)
        ? '`git push` overwrites or deletes what others have'
        : undefined
    case 'reset':
      return has(/^--(h|mer|kee)/) ? '`git reset` throws changes away' : undefined
    case 'clean':
      return has(/^(-[a-zA-Z]*f|--forc)/) && !has(/^(-[a-zA-Z]*n|--dry)/)
        ? '`git clean` deletes files that git does not know'
        : undefined
    case 'checkout':
    case 'switch':
    case 'restore':
      return has(/^(-[a-zA-Z]*f$|-[qlmpdt23]*[fBC]|--f|--disc)/) ||
        (name !== 'switch' && has(EVERYTHING) && !(has(/^(--st|-S$)/) && !has(/^(--w|-[SW]*W)/)))
        ? `\`git ${name}\` throws changes away`
        : undefined
    case 'stash':
      return /^(drop|clear)$/.test(first) ? '`git stash` throws away what was put aside' : undefined
    case 'branch':
      return has(/^(-[a-zA-Z]*[DfMC]|--forc)/)
        ? '`git branch` deletes commits that nothing else holds'
        : undefined
    case 'prune':
    case 'read-tree':
    case 'checkout-index':
    case 'gc':
      return name === 'prune' || has(/^(--res|-[a-zA-Z]*f|--forc|--prun)/)
        ? `\`git ${name}\` throws away what nobody can get back`
        : undefined
    case 'reflog':
      return /^(expire|delete|drop)$/.test(first) ? '`git reflog` deletes the way back' : undefined
    case 'update-ref':
      return has(/^(-d|--del)/) ? '`git update-ref -d` deletes commits that nothing else holds' : undefined
    case 'submodule':
      return first === 'deinit' && has(/^(-f|--forc)/)
        ? '`git submodule deinit` throws changes away'
        : undefined
    case 'filter-branch':
    case 'filter-repo':
      return `\`git ${name}\` rewrites the history`
    case 'rm':
      return has(/^-[a-zA-Z]*r/) && has(EVERYTHING) ? '`git rm -r` deletes the whole tree' : undefined
    case 'worktree':
      return first === 'remove' && has(/^(-f|--forc)/)
        ? '`git worktree remove` throws changes away'
        : undefined
    default:
      return undefined
  }
}
