/**
 * Chinese for what is wrong with a command line or a configuration. That is worded where it is found, in English: here
 * each English sentence has its Chinese one, with the places that differ in braces. Loaded with the Chinese catalogue, or
 * with the first of them that is said to somebody who reads Chinese.
 */

import { PARTS, type Pairs } from './parts-zh.ts'
import { YAML_SLIPS } from './yaml-zh.ts'

const SENTENCES: Pairs = [
  // The command line.
  ['there is no option {a}; did you mean {b}?', '没有选项 {a}；是不是 {b}？'],
  [
    'there is no option {a}; --help lists what there is, and -- ends the options',
    '没有选项 {a}；--help 会列出所有选项，-- 之后不再是选项',
  ],
  [
    'Did you mean gopi {a}? If {b} is a prompt, put -- before it',
    '是不是 gopi {a}？如果 {b} 是提示词，请在它前面加 --',
  ],
  ['gopi {a} takes no words; came {b}', 'gopi {a} 后面不带别的词，实际为 {b}'],
  [
    'gopi {a} takes no {b}; put -- before {c} if it is a prompt',
    'gopi {a} 没有 {b} 这个选项；如果是提示词，请在 {c} 前加 --',
  ],
  [
    'gopi permission expects check TOOL ARGUMENT (quote a command that holds blanks); nothing came',
    'gopi permission 的写法是 check TOOL ARGUMENT（含空格的命令请加引号），但没有给出',
  ],
  [
    'gopi permission expects check TOOL ARGUMENT (quote a command that holds blanks); {a} came',
    'gopi permission 的写法是 check TOOL ARGUMENT（含空格的命令请加引号），实际为 {a}',
  ],
  [
    'gopi mcp expects list, get NAME, add NAME COMMAND… (or URL), remove NAME, or test [NAME]; a command with options comes after --',
    'gopi mcp 的写法是 list、get NAME、add NAME COMMAND…（或 URL）、remove NAME 或 test [NAME]；带选项的命令写在 -- 之后',
  ],
  [
    'gopi completion expects bash, zsh or fish; nothing came',
    'gopi completion 的参数应为 bash、zsh 或 fish，但没有给出',
  ],
  [
    'gopi completion expects bash, zsh or fish; {a} came',
    'gopi completion 的参数应为 bash、zsh 或 fish，实际为 {a}',
  ],
  [
    'gopi sessions prune expects --older-than, such as 90d',
    'gopi sessions prune 需要 --older-than，例如 90d',
  ],
  [
    'gopi sessions expects nothing, delete ID, or prune --older-than 90d; {a} came',
    'gopi sessions 不带参数，或写成 delete ID、prune --older-than 90d，实际为 {a}',
  ],
  [
    'gopi config expects nothing, get KEY, or set KEY VALUE; {a} came',
    'gopi config 不带参数，或写成 get KEY、set KEY VALUE，实际为 {a}',
  ],
  [
    'gopi config get expects a KEY, such as gopi config get ollama.model',
    'gopi config get 需要一个 KEY，例如 gopi config get ollama.model',
  ],
  [
    'gopi config set expects a KEY and a VALUE, such as gopi config set ollama.model qwen3:8b',
    'gopi config set 需要 KEY 和 VALUE，例如 gopi config set ollama.model qwen3:8b',
  ],
  [
    '{a} contradict each other, for each says which session it is; give one',
    '{a} 互相矛盾，它们都用来指定会话；请只用一个',
  ],
  [
    '-p and --plain contradict each other: print once, or converse; give one',
    '-p 与 --plain 互相矛盾：一个只输出一次，一个是对话；请只用一个',
  ],
  ['{a} is for -p; give both or none', '{a} 要与 -p 同用'],
  ['-p cannot ask which session; give --resume an id', '-p 无法询问是哪个会话；请在 --resume 后给出 id'],
  [
    '--demo and --host contradict each other, for the demo is a server itself; give one (or --demo=auto)',
    '--demo 与 --host 互相矛盾，演示本身就是服务器；请只用一个（或 --demo=auto）',
  ],
  ['--yolo and --mode {a} contradict each other; give one', '--yolo 与 --mode {a} 互相矛盾；请只用一个'],
  ['{a} contradict each other; give one', '{a} 互相矛盾；请只用一个'],
  [
    '-p expects a prompt, as words or on standard input; there is none.',
    '-p 需要提示词（写在命令行或来自标准输入），但没有给出。',
  ],
  [
    '{a} expects a rule such as Read or Bash(git log *) ({b}); {c} came',
    '{a} 应为规则，例如 Read 或 `Bash(git log *)`（{b}），实际为 {c}',
  ],
  [
    '--older-than expects days, weeks or hours, such as 90d, 12w or 36h; {a} came',
    '--older-than 应为天、周或小时，例如 90d、12w 或 36h，实际为 {a}',
  ],
  ['{a} expects {b}; nothing came', '{a} 应为{b}，但没有给出'],
  ['{a} expects {b}; {c} came: did you mean {d}?', '{a} 应为{b}，实际为 {c}；是不是 {d}？'],
  ['{a} expects {b}; {c} came', '{a} 应为{b}，实际为 {c}'],
  ['nobody can be asked here; --yes deletes {a} without asking', '这里无法询问；--yes 不询问直接删除（{a}）'],
  ['there is no tool {a}; there are {b}.', '没有工具 {a}；有 {b}。'],
  ['there is no MCP server {a}; there are {b}', '没有 MCP 服务器 {a}；有 {b}'],
  ['there is no MCP server {a}', '没有 MCP 服务器 {a}'],
  ['{a} has a server {b} already', '{a} 中已有服务器 {b}'],
  ['{a} has no server {b}', '{a} 中没有服务器 {b}'],
  ['--header is for a server with a URL', '--header 只用于以 URL 指定的服务器'],
  ['There is no agent {a}. Did you mean {b}?', '没有名为 {a} 的代理。是不是 {b}？'],
  ['There is no agent {a}. There are: {b}.', '没有名为 {a} 的代理。可用的有：{b}。'],
  // Sessions.
  ['There is no session {a} of this directory; the latest are {b}.', '此目录没有会话 {a}；最近的有 {b}。'],
  ['There is no session {a} of this directory; it has none yet.', '此目录没有会话 {a}；这里还没有任何会话。'],
  ['There is no session of this directory to go on with.', '此目录没有可以继续的会话。'],
  ['{a} is the beginning of {b} sessions: {c}.', '{b} 个会话的 id 以 {a} 开头：{c}。'],
  [
    '-r needs the id of a session here, where nobody can be asked. They are:',
    '这里无法询问，-r 需要会话的 id。会话有：',
  ],
  [
    'Standard input holds more than {a} MB, more than any model reads; name a file instead.',
    '标准输入超过 {a} MB，任何模型都读不完；请改为指定文件。',
  ],
  ['expected lines such as {a}; came {b}', '每行应类似 {a}，实际为 {b}'],
  [
    'The directory in which gopi was started is gone: change to one that is there, and start it again.',
    '启动 gopi 的目录已不存在：请进入存在的目录后重新启动。',
  ],
  ['gopi itself failed: {a}', 'gopi 自身出错：{a}'],
  // The configuration.
  ['expected a file, as {a} names it; there is none', '{a} 所指的文件不存在'],
  ['expected YAML; mend it, then keys can be set', '不是有效的 YAML；修正后才能设置'],
  ['expected YAML that can be read; came: {a}', '无法读取此 YAML：{a}'],
  ['{a} has changed meanwhile; try again', '{a} 已被改动；请重试'],
  [
    '{a} is being changed by another gopi (process {b}); try again',
    '另一个 gopi（进程 {b}）正在修改 {a}；请重试',
  ],
  ['the key {a} stands here for the second time; keep one', '键 {a} 在这里第二次出现；请只保留一个'],
  ['this is no YAML: {a}', '这不是 YAML：{a}'],
  ['expected a theme; there is none', '没有这个主题文件'],
  [
    'expected a place of your own, came one of another user (uid {a}); chown it, or name another by GOPI_HOME',
    '此处应归你所有，实际属于另一用户（uid {a}）；请 chown，或用 GOPI_HOME 指定别处',
  ],
  [
    'expected that only you can write there, came mode {a}; run: {b}',
    '此处应只有你可写，实际权限为 {a}；请运行：`{b}`',
  ],
  ['unknown key; did you mean {a}?', '未知的键；是不是 {a}？'],
  ['unknown key; known here: {a}', '未知的键；这里可用：{a}'],
  [
    'expected the name of an action; came {a}; the help (?) names them all',
    '应为动作名，实际为 {a}；帮助（?）列出了全部动作',
  ],
  [
    'tui.keys: {a} is given to {b} and to {c}; choose one of them',
    'tui.keys：{a} 同时给了 {b} 和 {c}；请只选一个',
  ],
  ['expected the name of an action; came {a}; did you mean {b}?', '应为动作名，实际为 {a}；是不是 {b}？'],
  [
    'tui.keys.{a}: {b} is needed for typing; put ctrl+ or alt+ before it',
    'tui.keys.{a}：{b} 用于输入；请在前面加 ctrl+ 或 alt+',
  ],
  [
    'tui.keys: {a} went to {b}, so {c} has no key; give it one, or say {d}: none',
    'tui.keys：{a} 已分给 {b}，{c} 因此没有按键；请给它一个，或写 {d}: none',
  ],
  ['expected a JSON Schema: {a}', '应为 JSON Schema：{a}'],
  ['expected {a}; came {b}', '应为{a}，实际为 {b}'],
  ['expected {a}', '应为{a}'],
]

const PLACE = /\{(\w+)\}/g

interface Pattern {
  pattern: RegExp
  chinese: string
}

/** The English of each as a pattern, tried in their order; made when they are first wanted. */
export function patterns(pairs: () => Pairs): () => readonly Pattern[] {
  let made: Pattern[] | undefined
  return () => (made ??= pairs().map(([english, chinese]) => ({ pattern: patternOf(english), chinese })))
}

function patternOf(english: string): RegExp {
  const seen = new Set<string>()
  const place = (name: string) => {
    if (seen.has(name)) return `\\k<${name}>`
    seen.add(name)
    return `(?<${name}>.+?)`
  }
  const escaped = english.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(PLACE, (_, name: string) => place(name))}$`, 's')
}

const WHOLE = patterns(() => SENTENCES)
const WITHIN = patterns(() => [...PARTS, ...YAML_SLIPS])

/** A sentence of these in Chinese; one that is not among them as it came. A file and a line before it stay. */
export function problemInChinese(text: string): string {
  const whole = translated(text, WHOLE)
  if (whole !== undefined) return whole
  for (let at = text.indexOf(': '); at >= 0; at = text.indexOf(': ', at + 1)) {
    const rest = translated(text.slice(at + 2), WHOLE)
    if (rest !== undefined) return `${text.slice(0, at)}：${rest}`
  }
  return text
}

/** undefined: none of the patterns fits. */
export function translated(text: string, table: () => readonly Pattern[]): string | undefined {
  for (const { pattern, chinese } of table()) {
    const { groups, index } = pattern.exec(text) ?? {}
    if (index === undefined) continue
    return chinese.replaceAll(PLACE, (_, name: string, at: number) => {
      const value = inner(groups?.[name] ?? '')
      return /\p{Script=Han}$/u.test(chinese.slice(0, at)) && /^[\w"-]/.test(value) ? ` ${value}` : value
    })
  }
  return undefined
}

/** Words that stand within a sentence; those that are not known as they came. */
export const partInChinese = (text: string): string => translated(text, WITHIN) ?? text

/** Words side by side, as options and keys are. */
const LIST = /^[^\s,]+(?:, [^\s,]+)*(?: (or|and) [^\s,]+)?$/

/** What stands in quotes is the person's. */
function inner(text: string): string {
  if (/^["{]/.test(text)) return text
  const list = LIST.exec(text)
  if (!list) return partInChinese(text)
  return partInChinese(text)
    .replaceAll(', ', '、')
    .replace(/ (or|and) /, (_, how) => (how === 'or' ? ' 或 ' : ' 和 '))
}
