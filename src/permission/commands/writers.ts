/** The words of a call that name what it changes: outside the project that always asks. */
import { plainWord, type ShellWord } from '../shell/line.ts'

/** Every operand is changed, or the place of what is. */
const WRITERS = named(
  `cp mv rm ln mkdir rmdir touch tee install truncate unlink chmod chown chgrp shred rsync mkfifo mknod patch rimraf trash
  srm setfacl chattr`,
)

/** Options that name what is written; short ones end the pattern of their cluster. */
const BY_OPTION: Readonly<Record<string, RegExp>> = {
  tar: /^(-[a-zA-Z]*C|--directory)$/,
  bsdtar: /^(-[a-zA-Z]*C|--directory)$/,
  unzip: /^-d$/,
  curl: /^(-[a-zA-Z]*[oDc]|--output|--output-dir|--dump-header|--cookie-jar)$/,
  wget: /^(-[a-zA-Z]*[oOP]|--output-document|--output-file|--directory-prefix)$/,
  sort: /^(-[a-zA-Z]*o|--output)$/,
  git: /^(-o|--output|--output-directory|--separate-git-dir)$/,
  npm: /^--prefix$/,
  gcc: /^-o$/,
  clang: /^-o$/,
}

/** Files are changed in place only with this option. */
const IN_PLACE: Readonly<Record<string, RegExp>> = {
  sed: /^(-[nErsuz]*[iI]|--in)/,
  perl: /^-[a-zA-Z0-9]*i/,
  prettier: /^(-[a-z]*w|--wri)/,
  eslint: /^--fix/,
  biome: /^--(wri|fix|app)/,
  ruff: /^(format|--fix)/,
  black: /^/,
}
const MAKES_REPOSITORY: ReadonlySet<string> = new Set(['init', 'clone', 'worktree'])

/** Subcommands that write files of the working tree. */
const WRITES_TREE: ReadonlySet<string> = new Set(
  'checkout restore mv rm clean apply am stash switch merge pull'.split(' '),
)

/** `name`: the program's; `args`: what stands after it. */
export function written(name: string, args: readonly ShellWord[]): ShellWord[] {
  if (WRITERS.has(name)) return [...args]
  const inPlace = Object.hasOwn(IN_PLACE, name) ? IN_PLACE[name] : undefined
  if (inPlace && args.some(({ value }) => inPlace.test(value ?? '')))
    return /^(sed|perl)$/.test(name) ? withoutScripts(args) : args.filter(isOperand)
  if (name === 'dd') return args.flatMap(({ value }) => plainWords(/^of=(.+)$/s.exec(value ?? '')?.[1]))
  const option = Object.hasOwn(BY_OPTION, name) ? BY_OPTION[name] : undefined
  const found = option ? valuesOf(args, option) : []
  const [subcommand, ...operands] = args.filter(isOperand)
  return name === 'git' && MAKES_REPOSITORY.has(subcommand?.value ?? '') ? [...found, ...operands] : found
}

/** Whether the files that a call names may be written: git reads and records most of them. */
export function writesNamed(name: string, args: readonly ShellWord[]): boolean {
  return name !== 'git' || WRITES_TREE.has(args.find(isOperand)?.value ?? '')
}

const isOperand = ({ value }: ShellWord): boolean => !value?.startsWith('-')

/** sed's and perl's scripts look like paths: `/x/d`. */
function withoutScripts(args: readonly ShellWord[]): ShellWord[] {
  const isScript = /^(-[a-zA-Z]*[ef]|--expression|--file)$/
  const scripts = args.filter((_, n) => isScript.test(args[n - 1]?.value ?? ''))
  const operands = args.filter(word => isOperand(word) && word.value !== '' && !scripts.includes(word))
  return scripts.length > 0 ? operands : operands.slice(1)
}

function valuesOf(args: readonly ShellWord[], option: RegExp): ShellWord[] {
  return args.flatMap(({ value = '' }, n) => {
    const next = args[n + 1]
    if (option.test(value)) return next ? [next] : []
    const [, long = '', attached] = /^(--[\w-]+)=(.*)$/s.exec(value) ?? []
    if (value.startsWith('--')) return option.test(long) ? plainWords(attached) : []
    // `-so/x`: the value follows the first of a cluster that takes one.
    const end = [...value].findIndex((_, m) => option.test(value.slice(0, m + 1)))
    return end < 0 ? [] : plainWords(value.slice(end + 1))
  })
}

const plainWords = (value: string | undefined): ShellWord[] =>
  value === undefined || value === '' ? [] : [plainWord(value)]

function named(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}
