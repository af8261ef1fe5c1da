/** The catalogue of a language. Only the one that is spoken is loaded. */
import type { Language } from './locale.ts'
import type { Words } from './words.ts'

export async function loadWords(language: Language): Promise<Words> {
  return language === 'zh' ? (await import('./zh.ts')).ZH : (await import('./en.ts')).EN
}

/** The same where a conversation goes on: another model is chosen by a command there, not by starting again. */
export async function loadTalkWords(language: Language): Promise<Words> {
  const words = await loadWords(language)
  return { ...words, say: told => words.say(told).replaceAll('--model', '/model') }
}
