/** What a person is told before they trust a folder: what its configuration would set, and its instructions, whole. */
import path from 'node:path'
import { changedSinceTrusted, claims } from '../assembly/trust.ts'
import { claimedSettings } from '../config/claimed.ts'
import { projectInstructions } from '../context/instructions.ts'
import { reveal, sanitize } from '../text/sanitize.ts'
import type { Words } from '../words/words.ts'

/** Lines; undefined: the folder (a real path) brings nothing that would need trust. */
export async function trustQuestion(
  { home, cwd }: { home: string; cwd: string },
  { notices, questions, problem }: Words,
): Promise<{ about: string[]; texts: string[] } | undefined> {
  const files = claims(cwd)
  if (files.length === 0) return undefined
  const settings = await claimedSettings(cwd)
  const { found } = projectInstructions(cwd)
  return {
    about: [
      ...changedSinceTrusted(home, cwd).map(notices.trustChanged),
      questions.trustFiles,
      ...files.map(file => `  ${file}`),
      ...(settings.length > 0
        ? ['', questions.trustSets, ...settings.map(line => `  ${reveal(sanitize(problem(line)))}`)]
        : []),
      '',
      questions.trustHint,
    ],
    texts: found
      .filter(({ text }) => text !== '')
      .flatMap(({ file, text }) => [
        '',
        `── ${path.relative(cwd, file)} ──`,
        ...text.split('\n').map(line => reveal(sanitize(line))),
      ]),
  }
}
