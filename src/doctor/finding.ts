/** What doctor finds: data, which each face words. */
import type { Said } from '../protocol/sayings.ts'
import { DOCTOR_EN, type SUBJECTS_EN } from '../words/doctor-en.ts'
import type { Facts } from '../words/sayings/sayings.ts'
import { worded } from '../words/sayings/sayings.ts'

export type Subject = Exclude<keyof typeof SUBJECTS_EN, 'levels'>
export type Level = 'ok' | 'warn' | 'fail'
type Sayings = { [Key in keyof typeof DOCTOR_EN]: Facts<(typeof DOCTOR_EN)[Key]> }

export interface Finding extends Said {
  subject: Subject
  level: Level
}

/** `finding('warn', 'git', 'git.missing', {})`. */
export function finding<Key extends keyof Sayings>(
  level: Level,
  subject: Subject,
  code: Key,
  facts: Sayings[Key],
): Finding {
  return { subject, level, code, facts: facts as Said['facts'] }
}

/** The English sentence, as `--json` has it. */
export const inEnglish = (found: Finding): string => worded(DOCTOR_EN, found) ?? found.code
