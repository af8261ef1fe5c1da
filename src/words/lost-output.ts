/** What is said when standard output cannot be written. The front door says it too, so it comes with no other words. */
import { type Language, languageOf } from './locale.ts'

const SAID: Readonly<Record<Language, (why: string) => string>> = {
  en: why => `The output could not be written: ${why}.`,
  zh: why => `无法写出输出：${why}。`,
}

/** In the language of the environment, for no configuration may have been read. */
export const lostOutputIn = (env: NodeJS.ProcessEnv, why: string): string =>
  SAID[languageOf('auto', env)](why)
