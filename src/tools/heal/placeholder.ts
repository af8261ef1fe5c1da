/**
 * Lines that stand for code which a model did not write out: "… existing code …", "# rest unchanged", "其余代码保持不变". They are
 * comments, or nothing but words between dots, in whatever language. Pure.
 */
import { splitLines } from './file-lines.ts'

const comment =
  /^\s*(?:\/\/+|#+|--+|;+|%+|\/\*+|\*|<!--|\{\/\*|\(\*|"""|''')\s*(.*?)\s*(?:\*\/\s*\}?|-->|\*\)|"""|''')?\s*$/
const bracketed = /^\s*[[(<{]\s*(.*?)\s*[\])>}]\s*$/
const dots = /(?:\.{3,}|…+|。{3,}|⋯+)/

/** Words for what is left as it was, */
const rest =
  /\b(?:rest|remaining|remainder|existing|previous|original|other|unchanged|omitted|same|restliche[nrs]?|übrige[nrs]?|bestehende[nrs]?|vorhandene[nrs]?|reste|restant|existant|resto|restante|existente|existentes|reszta|pozostał[aey]|istniejąc[yae]|geri kalan|mevcut|resten|överig|övrig)\b|其余|其他|其它|剩余|剩下|现有|原有|已有|之前|原来|后续|其餘|剩餘|現有|既存|残り|以降|以下|기존|나머지|остальн|существующ|прежн|بقية|باقي|शेष/iu
/** and for leaving it so. */
const kept =
  /\b(?:unchanged|same|remains?|stays?|as before|as is|as above|here|omitted|code|implementation|content|file|function|method|methods|imports|logic|kept?|goes|unverändert|bleibt|gleich|code|inchangée?s?|identique|sin cambios|igual|inalterad[oa]|sem alterações|invariat[oa]|bez zmian|aynı|değişmedi|oförändrad)\b|不变|保持|省略|代码|同上|一样|内容|部分|相同|不變|代碼|程式碼|同じ|変更なし|省略|コード|그대로|동일|코드|생략|без изменений|код|как было|كما|الكود|कोड/iu

/** The number (from 1) and text of each line that is a placeholder, and that the file does not have already. */
export function placeholders(
  text: string,
  {
    before = '',
    isProse = false,
    isPython = false,
  }: { before?: string; isProse?: boolean; isPython?: boolean },
): { line: number; text: string }[] {
  if (!dots.test(text) && !(rest.test(text) && kept.test(text))) return []
  const had = new Set(splitLines(before).map(line => line.trim()))
  return splitLines(text).flatMap((line, at) => {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.length > 200 || had.has(trimmed)) return []
    return isPlaceholder(trimmed, { isProse, isPython }) ? [{ line: at + 1, text: trimmed }] : []
  })
}

function isPlaceholder(
  line: string,
  { isProse, isPython }: { isProse: boolean; isPython: boolean },
): boolean {
  const isHeading = isProse && /^[#*;%-]/.test(line)
  const inComment = isHeading ? undefined : comment.exec(line)?.[1]
  const words = inComment ?? bracketed.exec(line)?.[1] ?? line
  const isMarked = inComment !== undefined || words !== line
  const bare = words.replace(new RegExp(dots, 'gu'), '').trim()
  const starts = new RegExp(`^[[(<{]?\\s*${dots.source}`, 'u').test(words)
  const ends = new RegExp(`${dots.source}\\s*[\\])>}]?$`, 'u').test(words)
  const leavesOut = rest.test(bare) && kept.test(bare)
  // Nothing but dots: a statement in Python, prose in a text.
  if (bare === '' || /^[[\](){}<>]*$/.test(bare))
    return inComment !== undefined || (starts && !isPython && !isProse && !isMarked)
  if (starts && ends) return isMarked || (!isProse && leavesOut) || (isProse && leavesOut)
  if (starts || ends)
    return isMarked
      ? rest.test(bare) || /省略|생략|omitted/.test(bare) || (kept.test(bare) && starts)
      : leavesOut && bare.length < 60 && starts
  if (isProse) return inComment !== undefined && leavesOut && bare.length < 60
  return inComment !== undefined && isTerse(bare)
}

/** Without dots it takes more: "rest of the code unchanged" and nothing else. */
function isTerse(words: string): boolean {
  if (words.length > 70) return false
  return (
    /^(?:the )?(?:rest|remainder|remaining|other|existing|previous)(?: of)?(?: (?:the|your|this|my))?(?: \w+){0,3} (?:unchanged|(?:remains?|stays?|is|are) (?:the )?(?:same|unchanged|as (?:is|before))|same as before|(?:goes|stays|remains) here|omitted(?: for brevity)?|(?:code|implementation|imports|methods|functions|logic)(?: here)?)\.?$/i.test(
      words,
    ) ||
    /^(?:keep|leave) (?:the )?(?:rest|existing|remaining|other)\b.*$/i.test(words) ||
    /^(?:unchanged|omitted(?: for brevity)?|same as (?:before|above))\.?$/i.test(words) ||
    /^[（(]?(?:此处|这里|以下|以上)?(?:其余|其他|其它|剩余|剩下|现有|原有|已有|其餘|剩餘|現有)(?:的)?.{0,12}(?:不变|不變|省略|同上|一样|相同|代码|代碼|程式碼|内容)[。.)）]?$/u.test(
      words,
    ) ||
    /^(?:残り|既存|以下|以降).{0,12}(?:変更なし|省略|同じ|同様|そのまま)[。]?$/u.test(words) ||
    /^(?:나머지|기존).{0,14}(?:동일|그대로|생략|변경 없음)[.]?$/u.test(words) ||
    /^(?:остальн|прежн|существующ).{0,30}(?:без изменений|не измен\S*|как было|остаётся|код)[.]?$/iu.test(
      words,
    ) ||
    /^(?:le )?reste\b.*\b(?:inchangée?|identique)\.?$/i.test(words) ||
    /^(?:(?:der )?rest|restlicher code|bestehender code)\b.*\b(?:unverändert|gleich|wie (?:bisher|zuvor|vorher))\.?$/i.test(
      words,
    ) ||
    /^(?:el |o |il )?rest[oa]\b.*(?:sin cambios|igual|inalterad[oa]|sem alterações|invariat[oa])\.?$/i.test(
      words,
    )
  )
}
