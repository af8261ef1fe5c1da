/** Looking around: what is in the project, reading, finding, searching. */
import type { Desk, Skill, Task } from './task.ts'
import { block, firstLines, firstMatch, looksLikePath, PATH, withoutEnd } from './words.ts'

export const describeProject: Skill = (words, desk) => {
  const asks =
    /\b(what|look|tell|describe|explain|summari[sz]e|overview|show|list)\b.*\b(project|repo|repository|directory|folder|codebase|here)\b/i.test(
      words,
    ) ||
    /(项目|仓库|目录|文件夹|代码库|这里).*(什么|哪些|介绍|概况|结构)|(介绍|看看|看一下|分析|说说|总结).*(项目|仓库|目录|文件夹|代码库)/.test(
      words,
    )
  return asks ? project(desk) : undefined
}

function* project(desk: Desk): Task {
  const [listing = '', docs = ''] = yield [
    desk.call('ls', { path: '.' }),
    desk.call('find', { pattern: '**/*.md' }),
  ]
  const entries = readListing(listing)
  const readme = entries.find(name => /^readme(\.\w+)?$/i.test(name))
  const manifest = entries.find(name => name === 'package.json')
  const names = [readme, manifest].filter(name => name !== undefined)
  const texts = names.length > 0 ? yield names.map(path => desk.call('read', { path, limit: 60 })) : []
  const about = (name: string | undefined) =>
    name === undefined ? '' : plainFile(texts[names.indexOf(name)] ?? '').join('\n')
  const folders = entries.filter(name => name.endsWith('/'))
  const files = entries.filter(name => !name.endsWith('/'))
  if (entries.length === 0) return desk.say('This directory is empty.', '这个目录是空的。')
  return [
    purpose(about(readme), about(manifest), desk),
    desk.say(
      `It has ${folders.length} directories and ${files.length} files at the top:`,
      `顶层有 ${folders.length} 个目录和 ${files.length} 个文件：`,
    ),
    nameList([...folders, ...files], desk),
    documents(docs, desk),
  ]
    .filter(part => part !== '')
    .join('\n\n')
}

/** One line about the project from its README's title or its package.json. */
function purpose(readme: string, manifest: string, desk: Desk): string {
  const title = /^#+ +(.+)$/m.exec(readme)?.[1] ?? /"name": *"([^"]+)"/.exec(manifest)?.[1]
  const first = readme
    .split(/\n\s*\n/)
    .map(paragraph => paragraph.replace(/\s+/g, ' ').trim())
    .find(paragraph => /^[\p{L}\p{N}*_`"“]/u.test(paragraph))
  const description = first ?? /"description": *"([^"]+)"/.exec(manifest)?.[1]
  const scripts = [...(/"scripts": *\{([^}]*)\}/.exec(manifest)?.[1] ?? '').matchAll(/"([\w:-]+)":/g)]
  const commands = scripts.map(([, name]) => `\`npm run ${name}\``).join(', ')
  return [
    title ? desk.say(`This is **${title}**.`, `这是 **${title}**。`) : '',
    description ? (description.length > 300 ? `${description.slice(0, 300)}…` : description) : '',
    commands && desk.say(`Its scripts: ${commands}.`, `可用的脚本：${commands}。`),
  ]
    .filter(part => part !== '')
    .join(' ')
}

function documents(found: string, desk: Desk): string {
  const paths = readListing(found).filter(path => path.endsWith('.md'))
  if (paths.length === 0) return ''
  const some = paths.slice(0, 5).map(path => `\`${path}\``)
  const more = paths.length > 5 ? ', …' : ''
  return desk.say(
    `Markdown files (${paths.length}): ${some.join(', ')}${more}`,
    `Markdown 文件（${paths.length} 个）：${some.join('、')}${more}`,
  )
}

export const readFile: Skill = (words, desk) => {
  const found = firstMatch(withoutEnd(words), [
    new RegExp(
      String.raw`^(?:read|show(?: me)?|open|cat|print|display|look at|summari[sz]e|explain)\s+(?:the\s+)?(?:contents? of\s+)?(?:file\s+)?(?<path>${PATH})(?:\s+file)?$`,
      'i',
    ),
    new RegExp(
      String.raw`^what(?: is|'s| does|’s)\s+(?:in\s+)?(?:the\s+)?(?:file\s+)?(?<path>${PATH})(?:\s+(?:do|say|contain))?$`,
      'i',
    ),
    new RegExp(
      String.raw`^(?:读取|阅读|读|打开|显示|查看|看看|看|解释|总结)(?:一下|下)?\s*(?:文件)?\s*(?<path>${PATH})\s*(?:这个)?(?:文件)?(?:的)?(?:内容)?$`,
    ),
    new RegExp(String.raw`^(?<path>${PATH})\s*(?:这个文件)?(?:里面|里|中)?(?:有什么|写了什么|是什么|的内容)`),
  ])
  return found?.path && looksLikePath(found.path) ? reading(found.path, desk) : undefined
}

function* reading(path: string, desk: Desk): Task {
  const [text = ''] = yield [desk.call('read', { path })]
  const lines = plainFile(text)
  if (lines.length === 0) return failed(text, desk)
  const total = /Showing lines [\d,–]+ of (?:about )?([\d,]+)/.exec(text)?.[1] ?? String(lines.length)
  const head = desk.say(`\`${path}\` has ${total} lines. It begins:`, `\`${path}\` 有 ${total} 行，开头是：`)
  return `${head}\n\n${block(firstLines(lines.join('\n'), { lines: 12, more: rest(desk) }))}`
}

const KINDS: Record<string, string> = {
  typescript: '**/*.ts',
  javascript: '**/*.js',
  python: '**/*.py',
  go: '**/*.go',
  rust: '**/*.rs',
  java: '**/*.java',
  markdown: '**/*.md',
  json: '**/*.json',
  yaml: '**/*.{yaml,yml}',
  test: '**/*test*',
  测试: '**/*test*',
}

export const findFiles: Skill = (words, desk) => {
  const found = firstMatch(withoutEnd(words), [
    /^(?:find|list|show(?: me)?|where (?:is|are))\s+(?:all\s+)?(?:the\s+)?(?:files?\s+)?(?:named\s+|called\s+|matching\s+|like\s+)?(?<name>[^\s]+)(?:\s+files?)?(?:\s+in\s+(?<path>\S+))?$/i,
    /^(?:查找|寻找|找出|找到|找|列出)(?:一下|下)?\s*(?:所有)?(?:的)?\s*(?:名为|叫)?\s*(?<name>[^\s的]+?)\s*(?:的)?(?:文件)?(?:在哪(?:里|儿)?)?$/,
    /^(?<name>[\w.*/-]+)\s*(?:文件)?在哪(?:里|儿)?$/,
  ])
  const name = found?.name ?? ''
  const kind = KINDS[name.toLowerCase().replace(/s$/, '')]
  const isFile = /\bfiles?\b|文件/.test(words)
  if (!found || (!kind && !/[.*]/.test(name) && !isFile)) return undefined
  const pattern = kind ?? (name.startsWith('.') && !name.includes('*') ? `**/*${name}` : wanted(name))
  return finding(pattern, { path: found.path || undefined, desk })
}

/** A bare name is looked for everywhere. */
function wanted(name: string): string {
  if (name.includes('/')) return name
  return name.includes('*') || name.includes('.') ? `**/${name}` : `**/*${name}*`
}

function* finding(pattern: string, { path, desk }: { path: string | undefined; desk: Desk }): Task {
  const [text = ''] = yield [desk.call('find', { pattern, path })]
  const paths = readListing(text)
  if (paths.length === 0) return desk.say(`No file matches \`${pattern}\`.`, `没有文件匹配 \`${pattern}\`。`)
  const head = desk.say(
    `${paths.length} ${paths.length === 1 ? 'file matches' : 'files match'} \`${pattern}\`:`,
    `有 ${paths.length} 个文件匹配 \`${pattern}\`：`,
  )
  return `${head}\n\n${nameList(paths, desk)}`
}

export const searchText: Skill = (words, desk) => {
  const found = firstMatch(withoutEnd(words), [
    new RegExp(
      String.raw`^(?:search(?:\s+for)?|grep(?:\s+for)?|look\s+for|find)\s+(?:the\s+(?:text|word|string)\s+)?(?<text>.+?)\s+in\s+(?:the\s+)?(?:file\s+)?(?<path>${PATH})$`,
      'i',
    ),
    /^(?:search(?:\s+for)?|grep(?:\s+for)?|look\s+for|find)\s+(?:the\s+(?:text|word|string)\s+)?(?<text>.+)$/i,
    /^where\s+(?:is|are|do (?:we|you) use)\s+(?<text>.+?)(?:\s+(?:used|defined|mentioned|called|set))?$/i,
    new RegExp(
      String.raw`^在\s*(?<path>${PATH})\s*(?:文件)?(?:里面|里|中)?\s*(?:搜索|搜一下|搜|查找|找)(?:一下|下)?\s*(?<text>.+)$`,
    ),
    /^(?:搜索|搜一下|搜|检索|查找|找)(?:一下|下)?\s*(?<text>.+)$/,
    /^(?<text>\S+?)\s*(?:在哪(?:里|儿)?)(?:被)?(?:用到|使用|用|定义|调用|出现)?/,
  ])
  return found?.text ? searching(found.text, { path: found.path || undefined, desk }) : undefined
}

function* searching(text: string, { path, desk }: { path: string | undefined; desk: Desk }): Task {
  const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const [output = ''] = yield [desk.call('grep', { pattern, path })]
  const hits = output.split('\n').filter(line => /^\S.*?:\d+:/.test(line))
  if (hits.length === 0) {
    const nothing = desk.say(`I found no “${text}”.`, `没有找到“${text}”。`)
    return /^no |exit code 1$/im.test(output)
      ? nothing
      : `${nothing}\n\n${block(firstLines(output, { lines: 5, more: rest(desk) }))}`
  }
  const files = new Set(hits.map(line => line.split(':')[0]))
  const head = desk.say(
    `“${text}” stands in ${hits.length} ${hits.length === 1 ? 'line' : 'lines'} of ${files.size} ${files.size === 1 ? 'file' : 'files'}:`,
    `“${text}”出现在 ${files.size} 个文件的 ${hits.length} 行中：`,
  )
  return `${head}\n\n${block(firstLines(hits.join('\n'), { lines: 10, more: rest(desk) }))}`
}

/** What a tool said when it could not do it. */
export function failed(text: string, desk: Desk): string {
  const line = text.split('\n')[0] ?? ''
  return desk.say(`That did not work: ${line}`, `没有成功：${line}`)
}

/** The lines of a file as `read` (or `cat -n`) printed them, without their numbers; none if it printed no file. */
export function plainFile(text: string): string[] {
  const lines = text.split('\n').filter(line => /^\s*\d+\t/.test(line))
  return lines.map(line => line.replace(/^\s*\d+\t/, ''))
}

function readListing(text: string): string[] {
  if (/^(No |Nothing |exit code)| is empty\.$|^\(no output\)$/i.test(text)) return []
  const lines = text.split('\n').map(line => line.replace(/^\.\//, '').replace(/ -> .*$/, ''))
  return lines.filter(line => line !== '' && !/^(Showing |exit code )/.test(line))
}

function nameList(names: readonly string[], desk: Desk): string {
  return firstLines(names.map(name => `- \`${name}\``).join('\n'), { lines: 15, more: rest(desk) })
}

export function rest(desk: Desk): (lines: number) => string {
  return lines => desk.say(`… and ${lines} more`, `……还有 ${lines} 行`)
}
