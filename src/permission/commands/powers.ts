/**
 * Options with which a program runs another one, loads code, or writes elsewhere than it seems to: a rule speaks for them only
 * where its own words name them. Gathered from the programs' manuals.
 */
import { readBy } from '../gate/programs/reader.ts'
import { READERS } from '../gate/programs/readers.ts'

interface Powers {
  /**
   * Long options, with one dash or two. They may be shortened, stand for what a dot names in them, and be written in any of
   * the manners that their parsers take: `--global-setup` is globalSetup.
   */
  long?: string
  /** It takes no shortened ones. */
  whole?: true
  /** Letters, wherever they stand in a cluster; with `dashed`, where they come first. */
  short?: string
  /** Options of more letters behind one dash. */
  dashed?: string
  /** The first word, where it is no option. */
  first?: RegExp
  /** Any word. */
  word?: RegExp
}

/** It reads more arguments from a file. */
const LISTED = /^@/

const OF: Readonly<Record<string, Powers>> = {
  tar: {
    long: `to-command checkpoint-action use-compress-program rsh-command rmt-command info-script new-volume-script
    absolute-names directory one-top-level`,
    short: 'IFPC',
    first: /^[a-zA-Z]*[IFPC][a-zA-Z]*$/,
  },
  bsdtar: { long: 'use-compress-program absolute-paths directory', short: 'PC' },
  zip: { long: 'unzip-command test', short: 'T' },
  sort: { long: 'compress-program output temporary-directory files0-from random-source', short: 'oT' },
  split: { long: 'filter' },
  man: { long: 'pager html config-file preprocessor', short: 'PHC' },
  less: { long: 'log-file lesskey-file lesskey-src tag-file', short: 'oOktT', first: /^\+/ },
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
  pnpm: { ...npm(), long: `${npm().long} dir shell-emulator config` },
  yarn: { ...npm(), long: `${npm().long} cwd use-yarnrc` },
  bun: { long: 'preload cwd config env-file', short: 'rc' },
  prettier: { long: 'parser plugin plugin-search-dir config find-config-path cache-location ignore-path' },
  eslint: {
    long: `config rulesdir plugin parser format output-file resolve-plugins-relative-to cache-file cache-location
    ignore-path init inspect-config mcp`,
    short: 'cfo',
  },
  pytest: {
    long: `override-ini rootdir confcutdir basetemp junitxml junit-xml log-file import-mode pdbcls pyargs debug pastebin
    cov-config cov-report html`,
    short: 'cpoW',
  },
  jest: {
    whole: true,
    long: `config globalSetup globalTeardown setupFiles setupFilesAfterEnv runner testRunner transform reporters resolver
    testEnvironment rootDir coverageDirectory outputFile cacheDirectory preset env filter testSequencer testResultsProcessor
    projects roots moduleDirectories moduleNameMapper modulePaths prettierPath snapshotSerializers watchPlugins haste`,
    short: 'c',
  },
  vitest: {
    whole: true,
    long: `config root dir environment reporter outputFile pool poolOptions execArgv runner diff snapshotEnvironment
    typecheck.checker coverage.customProviderModule coverage.reportsDirectory sequence.sequencer cache.dir setupFiles
    attachmentsDir workspace`,
    short: 'cr',
  },
  mocha: { long: 'config require file ui reporter package import loader', short: 'ruR' },
  tsc: {
    long: 'project outDir outFile declarationDir build tsBuildInfoFile generateTrace generateCpuProfile init',
    short: 'pb',
    word: LISTED,
  },
  mypy: {
    long: `config-file python-executable cache-dir shadow-file install-types junit-xml html-report txt-report xml-report
    xslt-html-report xslt-txt-report any-exprs-report cobertura-xml-report linecount-report linecoverage-report
    lineprecision-report custom-typeshed-dir`,
    word: LISTED,
  },
  pylint: { long: 'init-hook load-plugins rcfile output' },
  flake8: { long: 'config append-config output-file enable-extensions' },
  black: { long: 'config' },
  ...of('webpack vite rollup playwright cypress rubocop phpunit', {
    long: 'config configuration plugin bootstrap require extension',
    short: 'cpr',
  }),
  rspec: { long: 'require options format out', short: 'rIOfo' },
  rake: { long: 'rakefile execute require libdir', short: 'feErpI' },
  ruff: { long: 'config output-file cache-dir', short: 'o' },
  biome: { long: 'config-path' },
  stylelint: { long: 'config custom-formatter plugins output-file config-basedir', short: 'o' },
  go: {
    dashed: `exec toolexec vettool o modfile overlay ldflags gcflags asmflags gccgoflags C compiler pkgdir coverprofile
    cpuprofile memprofile blockprofile mutexprofile trace outputdir`,
    short: 'oC',
  },
  cargo: { long: 'config manifest-path target-dir artifact-dir', short: 'CZ' },
  make: {
    long: 'file makefile eval directory include-dir',
    short: 'fCI',
    word: /^(SHELL|MAKE|MAKEFLAGS|MAKEFILES|\.SHELLFLAGS|CC|CXX|LD|AS|AR)[:?+!]*=/,
  },
  docker: docker(),
  podman: docker(),
  nerdctl: docker(),
  ssh: { short: 'oFSwLRDE' },
  ...of('gcc g++ cc c++ clang clang++', {
    short: 'B',
    long: 'specs config',
    dashed: 'wrapper fplugin Xclang',
    word: LISTED,
  }),
  javac: { dashed: 'processor processorpath', short: 'J', word: LISTED },
  rustc: { long: 'codegen sysroot', short: 'C', word: LISTED },
  ...of('latex pdflatex xelatex lualatex', { dashed: 'shell-escape output-directory' }),
  pandoc: { long: 'filter lua-filter pdf-engine output defaults extract-media', short: 'Fo' },
  tcpdump: { short: 'zw' },
  ...of('gradle gradlew', {
    long: 'init-script build-file project-dir settings-file include-build',
    short: 'Ibpc',
  }),
  ...of('mvn mvnw', { long: 'file settings global-settings toolchains', short: 'fs' }),
  sqlite3: { dashed: 'cmd init', word: /^\s*\.[a-z]/ },
  ...of('psql mysql', { long: 'output log-file pager tee init-command', short: 'oL', word: /\\\W|\\[a-z]/ }),
  kubectl: { long: 'kubeconfig', first: /^(cp|exec|plugin|config)$/ },
  terraform: { dashed: 'chdir plugin-dir' },
  helm: { long: 'post-renderer kubeconfig' },
}

function of(programs: string, powers: Powers): Record<string, Powers> {
  return Object.fromEntries(programs.split(' ').map(name => [name, powers]))
}

function npm(): { long: string; short: string } {
  return {
    long: `script-shell node-options globalconfig userconfig prefix shell call git init-module editor browser viewer cache
    registry ignore-scripts node-gyp python`,
    short: 'Cc',
  }
}

function docker(): Powers {
  return {
    long: `volume mount privileged device pid network net ipc userns host config context cap-add security-opt volumes-from
    volume-driver output file env-file build-context secret ssh group-add runtime`,
    short: 'vH',
    first: /^(cp|plugin|context)$/,
  }
}

/** Of git's own commands: what runs another program, writes a file, or leaves checks out. */
const OF_GIT = `exec exec-path upload-pack receive-pack no-verify template config output ext-diff
  textconv open-files-in-pager show-signature no-index remote filters output-directory gpg-sign unsafe-paths
  edit-description extcmd interactive help`
/** Their short forms, by subcommand. */
const SHORT_OF_GIT: Readonly<Record<string, string>> = {
  commit: 'nS',
  rebase: 'xiS',
  merge: 'S',
  ...{ 'cherry-pick': 'S', revert: 'S' },
  tag: 'suv',
  ...{ grep: 'O', diff: 'O', log: 'O', show: 'O' },
  clone: 'uc',
  fetch: 'u',
  ...{ 'format-patch': 'o', archive: 'o' },
}

function ofGit(words: readonly string[]): Powers {
  const command = words.find(word => !word.startsWith('-')) ?? ''
  const short = Object.hasOwn(SHORT_OF_GIT, command) ? SHORT_OF_GIT[command] : ''
  return { long: command === 'tag' ? `${OF_GIT} verify` : OF_GIT, short: short ?? '' }
}

/** The words with which a call does more than its program is there for; undefined words are not known. */
export function powersIn([program = '', ...words]: readonly (string | undefined)[]): number[] {
  const name = program.split('/').at(-1) ?? ''
  const static_ = words.map(word => word ?? '')
  const reader = READERS.get(name === 'nawk' ? 'awk' : name)
  if (reader?.code) {
    const inPlace = name === 'sed' ? static_.filter(word => IN_PLACE.test(word)) : []
    const rest = static_.filter(word => !inPlace.includes(word) && word !== '')
    const isMore = readBy(name, rest, reader).changes !== undefined
    return static_.flatMap((word, n) => (isMore || inPlace.includes(word) ? [n + 1] : []))
  }
  const powers = name === 'git' ? ofGit(static_) : Object.hasOwn(OF, name) ? OF[name] : undefined
  if (powers === undefined) return []
  const end = static_.indexOf('--')
  return static_.flatMap((word, n) => {
    const isPast = end >= 0 && n > end && name !== 'npm'
    return !isPast && has(powers, word, n) ? [n + 1] : []
  })
}

function has(
  { long = '', whole, short = '', dashed = '', first, word: any }: Powers,
  word: string,
  n: number,
): boolean {
  if (any?.test(word) || (n === 0 && first?.test(word))) return true
  const [, dashes = '', name = ''] = /^(--?)([\w.-]+)/.exec(word) ?? []
  if (dashes === '') return false
  if (names(dashed).includes(name.replace(/^test\./, ''))) return true
  // With one dash letters may be a cluster.
  const given = plain(name)
  const isLong = (option: string) =>
    option === given || (!whole && option.startsWith(given)) || given.startsWith(`${option}.`)
  if ((dashes === '--' || given.length > 2) && names(long).map(plain).some(isLong)) return true
  const letters = dashed === '' ? [...name] : name.slice(0, 1)
  return dashes === '-' && [...letters].some(letter => short.includes(letter))
}

/** As parsers compare it that take camel case and dashes for the same. */
const plain = (option: string): string => option.replaceAll('-', '').toLowerCase()

const names = (text: string): string[] =>
  text
    .trim()
    .split(/\s+/)
    .filter(name => name !== '')

/** To sed. */
const IN_PLACE = /^(-[nErsuz]*[iI].*|--in-place(=.*)?)$/
