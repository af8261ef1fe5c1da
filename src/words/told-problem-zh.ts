/** What ends gopi with its problems: those that are worded where they are found, and those of the catalogues. */
import type { Pairs } from './parts-zh.ts'
import { patterns, problemInChinese, translated } from './problem-zh.ts'
import { EN_KIT } from './sayings/en-kit.ts'
import { EN_SESSION } from './sayings/en-session.ts'
import { type Catalogue, worded } from './sayings/sayings.ts'
import { ZH_KIT } from './sayings/zh-kit.ts'
import { ZH_SESSION } from './sayings/zh-session.ts'

/** Facts that stand in a sentence as their names in braces. */
const facts = new Proxy({}, { get: (_, name) => (name === 'case' ? undefined : `{${String(name)}}`) })

const pairsOf = (english: Catalogue, chinese: Catalogue, wanted: RegExp): Pairs =>
  Object.keys(english)
    .filter(code => wanted.test(code))
    .map(code => [worded(english, { code, facts }) ?? code, worded(chinese, { code, facts }) ?? code])

const TOLD = patterns(() => [
  ...pairsOf(EN_SESSION, ZH_SESSION, /^config_file\./),
  ...pairsOf(EN_KIT, ZH_KIT, /^mcp_entry\./),
])

/** One that is not known as it came. */
export const toldProblemInChinese = (text: string): string => translated(text, TOLD) ?? problemInChinese(text)
