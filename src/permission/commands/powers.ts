/**
 * Options with which a program runs another one, loads code, or writes elsewhere than it seems to: a rule speaks for them only
 * where its own words name them. Gathered from the programs' manuals.
 */
import { judgeAwk } from '../gate/programs/awk.ts'
import { judgeSed } from '../gate/programs/sed.ts'

interface Powers {
  /** Long options, which may be shortened. */
  long?: string
  /** Letters, wherever they stand in a cluster. */
  short?: string
  /** Options of more letters behind one dash. */
  dashed?: string
  /** Words that are no options. */
  word?: RegExp
}

const OF: Readonly<Record<string, Powers>> = {
  tar: {
    long: `to-command checkpoint-action use-compress-program rsh-command rmt-command info-script new-volume-script
    absolute-names directory one-top-level`,
    short: 'IFPC',
    word: /^[a-zA-Z]*[IFPC][a-zA-Z]*$/,
  },
  bsdtar: { long: 'use-compress-program absolute-paths directory', short: 'PC' },
  zip: { long: 'unzip-command test', short: 'T' },
  sort: { long: 'compress-program output temporary-directory files0-from random-source', short: 'oT' },
  split: { long: 'filter' },
  man: { long: 'pager html config-file preprocessor', short: 'PHC' },
  less: { long: 'log-file lesskey-file lesskey-src tag-file', short: 'oOktT', word: /^\+/ },
  bat: { long: 'pager' },
  rsync: {
    long: 'rsh rsync-path daemon config temp-dir partial-dir backup-dir log-file write-batch files-from delete remove-source-files',
    short: 'e',
  },
  scp: { short: 'SoFJD' },
  sftp: { short: 'SoFJDb' },
  find: { dashed: 'exec execdir ok okdir delete fprint fprint0 fprintf fls files0-from' },
  rg: { long: 'pre hostname-bin search-zip', short: 'z' },
  xxd: { short: 'r' },
  tree: { short: 'oR' },
  yq: { long: 'inplace', short: 'i' },
  curl: { long: 'config engine output-dir unix-socket', short: 'K' },
  wget: { long: 'use-askpass execute config post-file body-file input-file', short: 'ei' },
  npm: npm(),
  npx: npm(),
  pnpm: { ...npm(), long: `${npm().long} dir shell-emulator`, short: 'C' },
  yarn: { ...npm(), long: `${npm().long} cwd use-yarnrc` },
  bun: { long: 'preload cwd config env-file', short: 'rc' },
  prettier: { long: 'plugin plugin-search-dir config find-config-path cache-location ignore-path' },
  eslint: {
    long: `config rulesdir plugin parser format output-file resolve-plugins-relative-to cache-file cache-location
    ignore-path`,
    short: 'cfo',
  },
  pytest: {
    long: 'override-ini rootdir confcutdir basetemp junitxml junit-xml log-file import-mode pdbcls pyargs debug',
    short: 'cpo',
  },
  jest: {
    long: `config globalSetup globalTeardown setupFiles setupFilesAfterEnv runner testRunner transform reporters resolver
    testEnvironment rootDir coverageDirectory outputFile cacheDirectory preset`,
    short: 'c',
  },
  vitest: { long: 'config root dir globals environment reporter outputFile pool', short: 'cr' },
  mocha: { long: 'config require file ui reporter package import loader', short: 'ruR' },
  tsc: { long: 'project outDir outFile declarationDir build tsBuildInfoFile', short: 'pb' },
  mypy: { long: 'config-file python-executable cache-dir shadow-file install-types' },
  ruff: { long: 'config output-file cache-dir', short: 'o' },
  biome: { long: 'config-path' },
  stylelint: { long: 'config custom-formatter plugins output-file config-basedir', short: 'o' },
  go: {
    dashed: 'exec toolexec vettool o modfile overlay ldflags gcflags asmflags gccgoflags C compiler pkgdir',
    short: 'oC',
  },
  cargo: { long: 'config manifest-path target-dir artifact-dir', short: 'CZ' },
  make: {
    long: 'file makefile eval directory include-dir',
    short: 'fCI',
    word: /^(SHELL|MAKEFLAGS|MAKEFILES|\.SHELLFLAGS|CC|CXX|LD|AR)[:?+]?=/,
  },
  node: { long: 'require import loader experimental-loader eval print env-file', short: 'rep' },
  docker: docker(),
  podman: docker(),
  nerdctl: docker(),
  ssh: { short: 'oFSwLRDE' },
  git: { short: 'c', long: 'exec-path config-env git-dir work-tree' },
  gcc: { short: 'B', long: 'specs', dashed: 'wrapper fplugin' },
}

function npm(): { long: string } {
  return {
    long: `script-shell node-options globalconfig userconfig prefix shell call git init-module editor browser viewer cache
    registry ignore-scripts`,
  }
}

function docker(): Powers {
  return {
    long: `volume mount privileged device pid network net ipc userns host config context cap-add security-opt volumes-from
    volume-driver output file env-file build-context secret ssh group-add runtime`,
    short: 'vH',
  }
}

/** The words with which a call does more than its program is there for; undefined words are not known. */
export function powersIn([program = '', ...words]: readonly (string | undefined)[]): number[] {
  const name = program.split('/').at(-1) ?? ''
  const static_ = words.map(word => word ?? '')
  if (name === 'sed') return sedPowers(static_)
  if (/^[gmn]?awk$/.test(name)) return judgeAwk(name, static_).changes ? static_.map((_, n) => n + 1) : []
  const powers = Object.hasOwn(OF, name) ? OF[name] : undefined
  if (powers === undefined) return []
  const end = static_.indexOf('--')
  return static_.flatMap((word, n) => {
    const isPast = end >= 0 && n > end && name !== 'npm'
    return !isPast && has(powers, word, n) ? [n + 1] : []
  })
}

function has(
  { long = '', short = '', dashed = '', word: pattern }: Powers,
  word: string,
  n: number,
): boolean {
  if (pattern?.test(word) && (n === 0 || pattern.source.includes('='))) return true
  const [, dashes = '', name = ''] = /^(--?)([\w.-]+)/.exec(word) ?? []
  if (dashes !== '' && names(dashed).includes(name)) return true
  if (dashes === '--') return names(long).some(option => option.toLowerCase().startsWith(name.toLowerCase()))
  return dashes === '-' && dashed === '' && [...name].some(letter => short.includes(letter))
}

const names = (text: string): string[] =>
  text
    .trim()
    .split(/\s+/)
    .filter(name => name !== '')

/** In place, from a file, and what only prints when it is not understood. */
function sedPowers(words: readonly string[]): number[] {
  const inPlace = words.flatMap((word, n) => (/^(-[nErsuz]*[iI].*|--in-place(=.*)?)$/.test(word) ? [n] : []))
  const rest = words.filter((word, n) => !inPlace.includes(n) && word !== '')
  return judgeSed(rest).changes ? words.map((_, n) => n + 1) : inPlace.map(n => n + 1)
}
