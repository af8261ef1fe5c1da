/** The words of what subcommands print, in the person's language. */
import type { LoadedConfig } from '../config/load.ts'
import { type Language, languageOf } from '../words/locale.ts'
import type { Reports } from '../words/reports-en.ts'
import { configFor } from './config-for.ts'

export async function reportsIn(language: Language): Promise<Reports> {
  return language === 'zh'
    ? (await import('../words/reports-zh.ts')).REPORTS_ZH
    : (await import('../words/reports-en.ts')).REPORTS_EN
}

export const languageFor = ({ config }: Pick<LoadedConfig, 'config'>): Language =>
  languageOf(config.tui.language, process.env)

/** For a command that works without a configuration: a broken one keeps nobody from mending it, nor from old sessions. */
export const languageAnyway = (command: Parameters<typeof configFor>[0]): Promise<Language> =>
  configFor(command).then(languageFor, () => languageOf('auto', process.env))
