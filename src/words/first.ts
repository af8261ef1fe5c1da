/**
 * What is on the screen before anything is loaded: the catalogues say the same. In a file of its own, since the
 * front door has it in it.
 */
import type { Language } from './locale.ts'

export const FIRST: Readonly<Record<Language, { placeholder: string; ask: string }>> = {
  en: { placeholder: 'Say what you want done; @ names a file, / a command', ask: 'ask' },
  zh: { placeholder: '想做什么？输入 @ 引用文件，输入 / 使用命令', ask: '询问' },
}
