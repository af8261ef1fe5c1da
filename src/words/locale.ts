/** Which language a face speaks. */

export type Language = 'en' | 'zh'

/**
 * The configured language unless it is `auto`; then the first of GOPI_LANG, LC_ALL, LC_MESSAGES and LANG that is set
 * decides, as in setlocale(3). Any language that gopi does not speak is English.
 */
export function languageOf(
  configured: 'auto' | Language,
  env: Readonly<Record<string, string | undefined>>,
): Language {
  if (configured !== 'auto') return configured
  const locale = env.GOPI_LANG || env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return /^(zh|chinese)(?![a-z])/i.test(locale) ? 'zh' : 'en'
}
