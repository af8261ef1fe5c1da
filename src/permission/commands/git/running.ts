/** What makes a call of git run another program, or destroy what nobody can get back. */

import path from 'node:path'
import type { Said } from '../../../protocol/sayings.ts'
import { said } from '../../../words/sayings/said.ts'
import type { ShellWord } from '../../shell/line.ts'

const STRATEGIES = /^(ours|recursive|ort|resolve|octopus|subtree)$/

/** Why no rule speaks for such a call. */
export function runningOption(name: string, words: readonly ShellWord[]): Said | undefined {
  for (const [n, { value, text }] of words.entries()) {
    if (value === undefined) {
      if (/^["$]/.test(text) || /^\W/.test(text))
        return said('permission.what_does', { what: `\`git ${name} ${text}\`` })
      continue
    }
    if (/^[\w+]+::/.test(value)) return said('permission.git_makes_run', { what: `\`${value}\`` })
    if (/%G|%\(signature/.test(value) && /^(--(format|pretty)|%|format:)/.test(value))
      return said('permission.git_gpg', { what: `\`git ${name} ${value}\`` })
    const strategy =
      /^--strategy=(.*)$/.exec(value)?.[1] ??
      (/^(-s|--strategy)$/.test(value) ? words[n + 1]?.value : undefined)
    if (
      /^(merge|rebase|cherry-pick|revert|pull)$/.test(name) &&
      strategy !== undefined &&
      !STRATEGIES.test(strategy)
    )
      return said('permission.runs_another', { what: `\`git ${name} ${text}\`` })
  }
  return undefined
}

/** Settings that make git run nothing. */
const HARMLESS_SETTING =
  /^(user\.(name|email)|init\.defaultbranch|(pull|push|fetch|merge|rebase|branch|color|advice|rerere|status|log)\.[\w./-]+|core\.(autocrlf|eol|filemode|ignorecase|quotepath|longpaths|abbrev))$/i

/** Why a `git config` is like an edit of `.git/config`, which is protected. */
export function steeringConfig(words: readonly ShellWord[]): Said | undefined {
  const values = words.map(({ value, text }) => value ?? text)
  const isElsewhere = values.some(value => /^(--(glo|sys|fil|blo|edi|rena|remove)|-f|-e)/.test(value))
  const key = values.find(value => !/^(-|(set|get|unset|list|edit)$)/.test(value))
  return isElsewhere || (key !== undefined && !HARMLESS_SETTING.test(key))
    ? said('permission.git_config_runs', { what: `\`git config ${values.join(' ')}\`` })
    : undefined
}

/** All of the working tree, or what it lies in. */
const EVERYTHING = /^(\.{1,2}\/?|:\/?|\*{1,2}|:\(top\).*)$/

/** Why a call is of the hard class. */
export function hardCall(name: string, words: readonly ShellWord[]): Said | undefined {
  const values = words.map(({ value, text }) => path.posix.normalize(value ?? text))
  const has = (pattern: RegExp) => values.some(value => pattern.test(value))
  const [first = ''] = values.filter(value => !value.startsWith('-'))
  const call = `\`git ${name}\``
  switch (name) {
    case 'push':
      return has(/^(--for|--mir|--del|--prun|-[a-zA-Z]*[fd]|\+|:.)/)
        ? said('permission.git_push', { what: call })
        : undefined
    case 'reset':
      return has(/^--(h|mer|kee)/) ? said('permission.git_throws', { what: call }) : undefined
    case 'clean':
      return has(/^(-[a-zA-Z]*f|--forc)/) && !has(/^(-[a-zA-Z]*n|--dry)/)
        ? said('permission.git_clean', { what: call })
        : undefined
    case 'checkout':
    case 'switch':
    case 'restore':
      return has(/^(-[a-zA-Z]*f$|-[qlmpdt23]*[fBC]|--f|--disc)/) ||
        (name !== 'switch' && has(EVERYTHING) && !(has(/^(--st|-S$)/) && !has(/^(--w|-[SW]*W)/)))
        ? said('permission.git_throws', { what: call })
        : undefined
    case 'stash':
      return /^(drop|clear)$/.test(first) ? said('permission.git_stash', { what: call }) : undefined
    case 'branch':
      return has(/^(-[a-zA-Z]*[DfMC]|--forc)/) ? said('permission.git_commits', { what: call }) : undefined
    case 'prune':
    case 'read-tree':
    case 'checkout-index':
    case 'gc':
      return name === 'prune' || has(/^(--res|-[a-zA-Z]*f|--forc|--prun)/)
        ? said('permission.git_prune', { what: call })
        : undefined
    case 'reflog':
      return /^(expire|delete|drop)$/.test(first) ? said('permission.git_reflog', { what: call }) : undefined
    case 'update-ref':
      return has(/^(-d|--del)/) ? said('permission.git_commits', { what: '`git update-ref -d`' }) : undefined
    case 'submodule':
      return first === 'deinit' && has(/^(-f|--forc)/)
        ? said('permission.git_throws', { what: '`git submodule deinit`' })
        : undefined
    case 'filter-branch':
    case 'filter-repo':
      return said('permission.git_history', { what: call })
    case 'rm':
      return has(/^-[a-zA-Z]*r/) && has(EVERYTHING)
        ? said('permission.git_tree', { what: '`git rm -r`' })
        : undefined
    case 'worktree':
      return first === 'remove' && has(/^(-f|--forc)/)
        ? said('permission.git_throws', { what: '`git worktree remove`' })
        : undefined
    default:
      return undefined
  }
}
