/** What commands find in their environment, and what a bash starts with that takes over from another. */

/** Set in everything that the shell starts, so that what left its process groups can be named in the end. */
export const MARK = 'GOPI_SHELL'

/**
 * Left out: what makes bash run something at its start or beside commands (PS4 is expanded by `set -x`), change its
 * rules or redefine commands, what has rg and git start other programs, and CDPATH, which lets `cd src` go (and print)
 * somewhere else. What is judged must be what runs.
 */
export const LEFT_OUT =
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_XTRACEFD|BASH_COMPAT|BASH_LOADABLES_PATH|POSIXLY_CORRECT|CDPATH|GLOBIGNORE|EXECIGNORE|PROMPT_COMMAND|PS[0-4]|RIPGREP_CONFIG_PATH|GIT_EXTERNAL_DIFF|BASH_FUNC_.*)$/

const SECRET_NAME =
  /(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY)S?(_|$)|(^|_)(PASS|AUTH|JWT|PAT)$|_PWD$|(^|_)KEY(_ID)?$|^SSHPASS$/i

/** Whether a variable holds what gives access to something, by its name: no sandbox gets it. */
export const isOfSecret = (name: string): boolean => SECRET_NAME.test(name)

/** Nobody is there to turn a page, to edit a text or to answer. `false` as editor: `true` would run a rebase. */
const NOBODY_THERE = {
  TERM: 'dumb',
  PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_PAGER: 'cat',
  GH_PAGER: 'cat',
  AWS_PAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_MERGE_AUTOEDIT: 'no',
  GIT_TERMINAL_PROMPT: '0',
  SSH_ASKPASS_REQUIRE: 'never',
  PIP_NO_INPUT: '1',
  DEBIAN_FRONTEND: 'noninteractive',
}

/**
 * The environment of the first bash. Language and colour variables stay the user's: output is no terminal and
 * TERM is dumb, and NO_COLOR would make tests about colours fail that pass without gopi.
 */
export function shellEnvironment(env: NodeJS.ProcessEnv, mark: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !LEFT_OUT.test(name))
  return { ...Object.fromEntries(kept), ...NOBODY_THERE, [MARK]: mark }
}

/** What a later bash starts with: its variables come from the one before, but names that are none only from here. */
export function replacementEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name === MARK || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)),
  )
}
