/** Whether gopi has all it needs here, and what is missing: `gopi doctor`, and `/doctor` in a conversation. */
import { displayWidth } from '../text/width.ts'
import type { Language } from '../words/locale.ts'
import { sayer } from '../words/sayings/sayings.ts'
import { type Finding, inEnglish } from './finding.ts'
import { examineMachine, type MachineOptions } from './machine.ts'
import { examineServer, type ServerOptions } from './server.ts'

export type Examination = MachineOptions & ServerOptions

/** All findings, in the order in which they are shown. */
export async function examine(options: Examination): Promise<Finding[]> {
  const [server, machine] = await Promise.all([examineServer(options), examineMachine(options)])
  return [...server, ...machine]
}

/** A line for each finding; no newline at the end. */
export async function report(findings: readonly Finding[], language: Language): Promise<string> {
  const { subjects, sentences, words } = await catalogue(language)
  const pad = (text: string, columns: number) => text + ' '.repeat(Math.max(0, columns - displayWidth(text)))
  const widest = Math.max(...findings.map(({ subject }) => displayWidth(subjects[subject])))
  const levels = Math.max(...Object.values(subjects.levels).map(displayWidth))
  const say = sayer({ ...words, ...sentences })
  return findings
    .map(
      found =>
        `${pad(subjects.levels[found.level], levels)}  ${pad(subjects[found.subject], widest)}  ${say(found)}`,
    )
    .join('\n')
}

async function catalogue(language: Language) {
  if (language === 'zh') {
    const [{ DOCTOR_ZH, SUBJECTS_ZH }, { ZH_SENTENCES }] = await Promise.all([
      import('../words/doctor-zh.ts'),
      import('../words/sayings/zh.ts'),
    ])
    return { subjects: SUBJECTS_ZH, sentences: DOCTOR_ZH, words: ZH_SENTENCES }
  }
  const [{ DOCTOR_EN, SUBJECTS_EN }, { EN_SENTENCES }] = await Promise.all([
    import('../words/doctor-en.ts'),
    import('../words/sayings/en.ts'),
  ])
  return { subjects: SUBJECTS_EN, sentences: DOCTOR_EN, words: EN_SENTENCES }
}

/** One object: `ok` says whether no line failed. */
export function asJson(findings: readonly Finding[]): string {
  const lines = findings.map(found => ({ ...found, message: inEnglish(found) }))
  return JSON.stringify({ ok: hasPassed(findings), findings: lines }, null, 2)
}

export const hasPassed = (findings: readonly Finding[]): boolean =>
  findings.every(({ level }) => level !== 'fail')
