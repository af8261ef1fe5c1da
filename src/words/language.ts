/** The catalogue of a language. Only the one that is spoken is loaded. */
import type { Language } from './locale.ts'
import type { Words } from './words.ts'

export async function loadWords(language: Language): Promise<Words> {
  return language === 'zh' ? (await import('./zh.ts')).ZH : (await import('./en.ts')).EN
}
