/** What surrounds a line that runs unasked because it only reads: its environment, and what `git` means there. */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { isInside } from '../paths/inside.ts'
import { isPlainLocale } from '../text/locale.ts'
import type { Exports } from './exports.ts'

/**
 * Names that no reader gets from anybody: they have some program load code, start another one, read its options
 * somewhere else, or speak from a catalogue of somebody's. `LANGUAGE` and `NLSPATH` are such catalogues.
 */
const UNSAFE =
  /^(LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|LANGUAGE|GLIBC_TUNABLES|MALLOC_.*|RES_OPTIONS|HOSTALIASES|LOCALDOMAIN|GETCONF_DIR|TZDIR|TEXTDOMAIN.*|OUTPUT_CHARSET|GIT_.*|GITHUB_TOKEN_FILE|LESS.*|MORE|PAGER|.*_PAGER|MANPAGER|MANOPT|MANROFFOPT|EDITOR|VISUAL|BROWSER|SSH_ASKPASS.*|SUDO_ASKPASS|SSH_AUTH_SOCK|GPG_.*|GNUPGHOME|BASH.*|SHELLOPTS|ENV|PS[0-4]|PROMPT_.*|IFS|CDPATH|GLOBIGNORE|EXECIGNORE|FIGNORE|POSIXLY_CORRECT|FUNCNEST|GREP_.*|RIPGREP_.*|FD_.*|BAT_.*|EZA_.*|EXA_.*|FZF_.*|TREE_.*|AWK.*|GAWK.*|SED.*|JQ_.*|COMPRESS|GZIP|BZIP2?|XZ_.*|ZSTD_.*|TAR_.*|TAPE|RSH|COLUMNS_.*|TERMINFO.*|TERMCAP|TERMPATH|MAGIC|MAGIC_.*|POSIX_ME_HARDER|DIFF_.*|NODE_.*|PYTHON.*|PERL.*|RUBY.*|JAVA_.*|_JAVA_OPTIONS|JDK_.*|LUA_.*|PHP.*|NPM_.*|npm_.*|OPENSSL_.*|SSL_.*|CURL_.*|WGETRC|INPUTRC|EXINIT|VIM.*|ZDOTDIR)$/

/** These are the person's own, as they were when gopi started, whatever the shell has made of them since. */
const THEIR_OWN = /^(PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|TMPDIR|TEMP|TMP|XDG_.*|TERM|_|SHLVL|GOPI_SHELL)$/

/** Only their characters decide: a name with a slash is a file that is read as a time zone. */
const isOdd = (name: string, value: string): boolean =>
  (/^(LANG|LC_.*)$/.test(name) && !isPlainLocale(value)) ||
  (name === 'TZ' && (!/^[\w+,./<>:-]*$/.test(value) || /\.\.|^:?\//.test(value)))

/** What git is told, over everything that a repository's or the person's configuration says. */
const GIT_SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ['safe.bareRepository', 'explicit'],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.askPass', 'false'],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', 'none'],
  ['core.alternateRefsCommand', 'false'],
  ['credential.helper', ''],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['log.showSignature', 'false'],
  ['interactive.diffFilter', 'cat'],
  ['diff.submodule', 'short'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['protocol.allow', 'never'],
  ['uploadpack.packObjectsHook', ''],
]

const GIT = {
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  // No transport has this name: versions of git that know nothing of NO_LAZY_FETCH fetch nothing either.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_CONFIG_COUNT: String(GIT_SETTINGS.length),
  ...Object.fromEntries(
    GIT_SETTINGS.flatMap(([key, value], n) => [
      [`GIT_CONFIG_KEY_${n}`, key],
      [`GIT_CONFIG_VALUE_${n}`, value],
    ]),
  ),
}

/**
 * The environment of a line that runs unasked because it only reads. What it promises, and the permission room relies on:
 *
 * - The line runs in a child of a bash that has never run anything else, in the shell's directory: no function, alias,
 *   trap, option or variable of an earlier command's is there, and none is left behind. Of gopi's descriptors the child
 *   has its output only (a line with `cd` also the way for gopi's own last word, above 9). Where it has gone to
 *   by `cd` is kept when it is a directory.
 * - PATH is the person's as gopi started, absolute entries outside the project only; HOME, XDG_* and TMPDIR are the
 *   person's too. Everything else that the shell exports is there, except what has a program load code, start another,
 *   or read its options elsewhere: LD_*, GIT_*, LESS*, LANGUAGE, BASH*, RIPGREP_*, … (`UNSAFE`). LANG, LC_* and TZ name no
 *   file.
 * - git (called as `git`, directly by the line): no hooks, fsmonitor, pager, editor, signature check, credential helper, transport,
 *   lazy fetch, gc, optional lock; no bare repository that the line did not name; for diff, log, show, status and their
 *   kind no external diff, no textconv, no look into submodules' work trees; the filters that a repository's own
 *   configuration names do not run (those of the person's own configuration do). Aliases cannot replace git's own commands.
 * - What the line itself must not say, because it would undo this: `-c`, `--config-env`, `--exec-path=`, `--ext-diff`,
 *   `--textconv`, `--ignore-submodules`, `--submodule=diff|log`, `-O`/`--open-files-in-pager`, `--show-signature`,
 *   `cat-file --filters|--textconv`, `status -v`; a path to git instead of its name; git started by another program (xargs, find).
 *   And what remains to be asked for: `core.worktree` in a repository's configuration has git read elsewhere.
 *
 * `env`: the person's, cleaned. `project`: a real path.
 */
export function harmlessEnvironment(
  env: NodeJS.ProcessEnv,
  { project }: { project: string },
): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name, value = '']) =>
      !UNSAFE.test(name) && !isOdd(name, value) && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    PATH: pathOutside(env.PATH ?? '', project),
    ...{ TERM: 'dumb', PAGER: 'cat', MANPAGER: 'cat', EDITOR: 'false', VISUAL: 'false' },
    ...GIT,
  }
}

/** What the shell exports beyond `base`, the environment above: as data, valid UTF-8 only. */
export function harmlessExports(exports: Exports, base: NodeJS.ProcessEnv): Exports {
  return new Map(
    [...exports].flatMap(([name, bytes]) => {
      if (bytes === undefined || UNSAFE.test(name) || THEIR_OWN.test(name)) return []
      const value = Buffer.from(bytes, 'latin1').toString()
      return base[name] === value || value.includes('\ufffd') || isOdd(name, value) ? [] : [[name, value]]
    }),
  )
}

/** Relative entries mean another folder after each `cd`; whoever works in the root has no other folders. */
const pathOutside = (variable: string, project: string): string =>
  variable
    .split(path.delimiter)
    .filter(
      entry =>
        path.isAbsolute(entry) &&
        !OF_PACKAGES.test(entry) &&
        (path.dirname(project) === project || !liesIn(entry, project)),
    )
    .join(path.delimiter)

/** npm puts those of all folders above on PATH. */
const OF_PACKAGES = /\/node_modules\/\.bin\/*$/

function liesIn(directory: string, project: string): boolean {
  try {
    return isInside(realpathSync.native(directory), project)
  } catch {
    return true // Nothing is there: whoever makes it later is not to be believed.
  }
}

/**
 * What `git` is there: the program, with what no setting can say. The filters of the repository are named by itself, and
 * each is set to nothing (git takes an empty filter for none). bash 3.2.
 */
export const HARMLESS_GIT = `git() {
local n=$GIT_CONFIG_COUNT scope key what; local -a where=()
while :; do case \${1-} in
-C|-c|--git-dir|--work-tree|--namespace) where[\${#where[@]}]=$1; where[\${#where[@]}]=\${2-}; shift; shift || break;;
-*) where[\${#where[@]}]=$1; shift;;
*) break;;
esac; done
case \${1-} in
status|diff|log|show|blame|annotate|grep|ls-files|diff-files|diff-index|diff-tree|whatchanged|describe|stash|reflog|format-patch|range-diff|shortlog|cat-file|check-attr|archive|hash-object)
while IFS= read -r -d '' scope && IFS= read -r -d '' key; do
case $scope in no) echo "git is too old to be run unasked" >&2; return 1;; local|worktree) for what in clean= smudge= process= required=false; do
export "GIT_CONFIG_KEY_$n=\${key%.*}.\${what%%=*}" "GIT_CONFIG_VALUE_$n=\${what#*=}"; n=$((n+1)); done;; esac
done < <(command git \${where[@]+"\${where[@]}"} config --includes --show-scope --null --name-only --get-regexp '^filter\\.' 2>/dev/null || [ $? -eq 1 ] || command git \${where[@]+"\${where[@]}"} config --null --show-scope user.none >/dev/null 2>&1 || [ $? -ne 129 ] || printf 'no\\0no\\0')
export GIT_CONFIG_COUNT=$n;;
esac
case \${1-} in
diff|log|show|diff-files|diff-index|diff-tree|whatchanged|format-patch) what=$1; shift
command git \${where[@]+"\${where[@]}"} "$what" --no-ext-diff --no-textconv --ignore-submodules=dirty "$@";;
reflog|stash) case \${2-} in show) what=$1; shift; shift; command git \${where[@]+"\${where[@]}"} "$what" show --no-ext-diff --no-textconv "$@";; *) command git \${where[@]+"\${where[@]}"} "$@";; esac;;
blame|annotate) what=$1; shift; command git \${where[@]+"\${where[@]}"} "$what" --no-textconv "$@";;
status) shift; command git \${where[@]+"\${where[@]}"} status --ignore-submodules=dirty "$@";;
*) command git \${where[@]+"\${where[@]}"} "$@";;
esac
}`
