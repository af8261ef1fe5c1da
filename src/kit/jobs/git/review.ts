/**
 * `/review [base]`: the model looks at a diff, piece by piece, and lists what is wrong. It gets no tools, so nothing is
 * changed; the next words bring it its findings.
 */
import prompt from '../../../../prompts/review.md'
import { fill } from '../../../text/fill.ts'
import type { Desk } from '../../commands/command.ts'
import { sideOf } from './ask.ts'
import { DIFF, type FileDiff, filesIn, piecesOf } from './diff-text.ts'
import { commitNamed, GitError, namesIn, type Repository, repositoryAt, usualBase } from './repository.ts'

const SEVERITIES = ['high', 'medium', 'low'] as const
type Severity = (typeof SEVERITIES)[number]

interface Finding {
  path: string
  line: number
  severity: Severity
  text: string
}

export async function review(desk: Desk, argument: string): Promise<void> {
  const { git: said } = desk.words.doing
  const repository = await repositoryAt(desk)
  if (!repository) return
  try {
    const diff = await diffFor(desk, repository, argument)
    if (diff !== undefined) await reviewed(desk, { ...diff, argument })
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    desk.refuse(said.failed(error.message))
  }
}

interface Reviewed {
  text: string
  isCut: boolean
  /** What it is the difference to, for people. */
  against: string
}

/** Without a base: what is not committed; where everything is, what this branch adds to the usual base. */
async function diffFor(desk: Desk, repository: Repository, argument: string): Promise<Reviewed | undefined> {
  const { git: said } = desk.words.doing
  const { read, isEmpty } = repository
  const fresh = namesIn(await read(['ls-files', '--others', '--exclude-standard', '-z']))
  if (fresh.length > 0) desk.note(said.untracked(fresh.length))
  if (argument === '') {
    const { text, isCut } = await read(['diff', ...DIFF, ...(isEmpty ? ['--cached'] : ['HEAD'])])
    if (text !== '') return { text, isCut, against: isEmpty ? said.nothingYet : 'HEAD' }
  }
  const name = argument === '' ? await usualBase(repository) : argument
  const base = name === undefined || isEmpty ? undefined : await commitNamed(name, repository)
  if (name === undefined || base === undefined) {
    desk.refuse(argument === '' ? said.nothingToReview : said.noCommit(argument))
    return undefined
  }
  const { text: fork } = await read(['merge-base', base, 'HEAD'])
  const { text, isCut } = await read(['diff', ...DIFF, fork.trim()])
  if (text === '') desk.say(said.nothingSince(name))
  return text === '' ? undefined : { text, isCut, against: name }
}

async function reviewed(desk: Desk, { text, isCut, against, argument }: Reviewed & { argument: string }) {
  const { git: said } = desk.words.doing
  const files = filesIn(text)
  const unread = files.filter(({ isBinary, isSubmodule }) => isBinary || isSubmodule)
  if (unread.length > 0) desk.note(said.unread(unread.map(({ path }) => path)))
  if (isCut) desk.note(said.tooLong)
  const side = await sideOf(desk, { fresh: true })
  const readable = files.filter(file => !unread.includes(file))
  const pieces = piecesOf(readable, side)
  if (pieces.length === 0) return desk.say(said.nothingToReview)
  const reviewing = said.reviewing({ files: readable.length, pieces: pieces.length, against })
  const answers: string[] = []
  for (const [at, diff] of pieces.entries()) {
    const facts = { part: String(at + 1), parts: String(pieces.length), diff }
    const doing = at === 0 ? reviewing : said.piece(at, pieces.length)
    const answer = await side.ask(fill(prompt, facts).trim(), doing)
    if (answer === undefined) break
    answers.push(answer)
  }
  if (answers.length === 0) return
  if (answers.length < pieces.length) desk.note(said.brokeOff(answers.length, pieces.length))
  const shown = shownAs(answers, files, desk)
  desk.show(shown)
  desk.session.shell.note(
    { command: ['/review', argument].join(' ').trim(), exit_code: 0, output: shown },
    shown !== said.noFindings,
  )
}

/** The gravest first. Answers that keep to no form are shown as they are. */
function shownAs(answers: readonly string[], files: readonly FileDiff[], { words }: Desk): string {
  const { git: said } = words.doing
  const known = new Set(files.map(({ path }) => path))
  const all = answers.flatMap(findingsIn)
  const findings = all.filter(({ path }) => known.has(path))
  const others = answers.filter(answer => findingsIn(answer).length === 0 && !/^\W*none\W*$/i.test(answer))
  const sorted = SEVERITIES.flatMap(severity =>
    findings
      .filter(finding => finding.severity === severity)
      .map(({ path, line, text }) => `${path}:${line}  ${said.severity[severity]}  ${text}`),
  )
  const strange = all.length - findings.length
  const lines = [...new Set([...sorted, ...others]), ...(strange > 0 ? [said.elsewhere(strange)] : [])]
  return lines.length === 0 ? said.noFindings : lines.join('\n')
}

function findingsIn(answer: string): Finding[] {
  const form =
    /^[\s>*#-]*(?:\d+[.)]\s+)?[`*]*([^\s`*:][^`*:\n]*?):(\d+)(?:-\d+)?[`*]*\s*:?\s*[-–—]*\s*[*[(`]*(high|medium|low)[\])*`]*\s*[:–—-]?\s*(.+)$/gim
  return [...answer.matchAll(form)].map(([, path = '', line, severity = '', text = '']) => ({
    path: path.replace(/^[ab]\//, ''),
    line: Number(line),
    severity: SEVERITIES.find(one => one === severity.toLowerCase()) ?? 'low',
    text: text.trim(),
  }))
}
