/** A diff as a model reads it: numbered, without secrets, and in pieces that fit. */
import { withoutHidden } from '../../../text/sanitize.ts'
import { maskSecrets } from '../../../text/secrets.ts'

export interface FileDiff {
  /** As it is called now. */
  path: string
  isBinary: boolean
  /** It is another repository, of which only the commit is known. */
  isSubmodule: boolean
  /** Its changes, each with the line numbers that hold now. */
  hunks: readonly string[]
}

/** Options of a diff that is to be read here. */
export const DIFF = ['--no-color', '--src-prefix=a/', '--dst-prefix=b/', '--submodule=short', '-M']

/** Reads the output of git diff. */
export function filesIn(diff: string): FileDiff[] {
  const files = maskSecrets(withoutHidden(diff)).split(/^(?=diff --git )/m)
  return files.filter(text => text.startsWith('diff --git ')).map(fileIn)
}

function fileIn(text: string): FileDiff {
  const [head = '', ...hunks] = text.split(/^(?=@@ )/m)
  const named = (mark: string) => new RegExp(`^${mark} (.+)$`, 'm').exec(head)?.[1]?.replace(/\t$/, '')
  const written =
    [named('\\+\\+\\+'), named('---')].find(name => name !== undefined && name !== '/dev/null') ??
    /^rename to (.+)$/m.exec(head)?.[1] ??
    /^diff --git .* ("?)b\/(.+)\1$/m.exec(head)?.[2] ??
    ''
  return {
    path: bare(written),
    isBinary: /^(?:Binary files |GIT binary patch)/m.test(head),
    isSubmodule: /^(?:index \S+ |new file mode |deleted file mode )160000$/m.test(head),
    hunks: hunks.map(numbered),
  }
}

/** Without the prefix of a side, and without the quotes that git puts around odd names. */
function bare(name: string): string {
  const [, quoted] = /^"(.*)"$/.exec(name) ?? []
  const plain = quoted === undefined ? name : unquoted(quoted)
  return plain.replace(/^[ab]\//, '')
}

function unquoted(text: string): string {
  const bytes = [...text.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)].map(([, octal, escaped, rest]) =>
    octal === undefined
      ? Buffer.from(rest ?? { n: '\n', t: '\t' }[escaped ?? ''] ?? escaped ?? '')
      : Buffer.from([Number.parseInt(octal, 8)]),
  )
  return Buffer.concat(bytes).toString()
}

/** A line that was removed has no number any more. */
function numbered(hunk: string): string {
  const [head = '', ...lines] = hunk.replace(/\n$/, '').split('\n')
  let at = Number(/\+(\d+)/.exec(head)?.[1] ?? 1)
  const shown = lines.map(line =>
    /^[ +]/.test(line) ? `${String(at++).padStart(5)} ${line}` : `      ${line}`,
  )
  return [head, ...shown].join('\n')
}

/** Pieces of at most so many tokens, whole files and whole parts of them where that is possible. */
export function piecesOf(
  files: readonly FileDiff[],
  { room, tokens }: { room: number; tokens(text: string): number },
): string[] {
  const pieces: string[] = []
  let piece = ''
  let file = ''
  const add = (path: string, part: string) => {
    const more = path === file ? part : `== ${path}\n${part}`
    if (piece !== '' && tokens(`${piece}\n${more}`) > room) {
      pieces.push(piece)
      piece = `== ${path}\n${part}`
    } else piece = piece === '' ? `== ${path}\n${part}` : `${piece}\n${more}`
    file = path
  }
  for (const { path, hunks } of files)
    for (const hunk of hunks) for (const part of cutTo(hunk, { room, tokens })) add(path, part)
  return piece === '' ? pieces : [...pieces, piece]
}

/** A part that is too long by itself, in halves of halves. */
function cutTo(text: string, limits: { room: number; tokens(text: string): number }): string[] {
  const lines = text.split('\n')
  if (limits.tokens(text) <= limits.room * 0.9 || lines.length === 1) return [text]
  const half = lines.length >> 1
  return [lines.slice(0, half), lines.slice(half)].flatMap(part => cutTo(part.join('\n'), limits))
}
