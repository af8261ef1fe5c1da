/** Looking around: what is in the project, reading, finding, searching. */
import { plural } from '../../text/truncate.ts'
import type { Desk, Skill, Task } from './task.ts'
import { block, en, firstLines, zh } from './words.ts'

export const describeProject: Skill = {
  phrases: [
    /\b(?:what|describe|explain|overview)\b.*\b(?:project|repo|repository|directory|folder|here)\b/i,
    /(?:项目|仓库|目录).*(?:什么|哪些|介绍)|(?:介绍|看看|说说).*(?:项目|仓库|目录)/,
  ],
  *task(_, desk): Task {
    const [listing = '', docs = ''] = yield [
      desk.call('ls', { path: '.' }),
      desk.call('find', { pattern: '**/*.md' }),
    ]
    const entries = readListing(listing)
    if (entries.length === 0) return desk.say('This directory is empty.', '这个目录是空的。')
    const names = entries.filter(name => /^readme(\.\w+)?$|^package\.json$/i.test(name))
    const texts = names.length > 0 ? yield names.map(path => desk.call('read', { path, limit: 60 })) : []
    const folders = entries.filter(name => name.endsWith('/'))
    const files = entries.filter(name => !name.endsWith('/'))
    const documents = readListing(docs)
    return [
      purpose(texts.map(text => plainFile(text).join('\n')).join('\n\n'), desk),
      desk.say(
        `It has ${folders.length} directories and ${files.length} files at the top:`,
        `顶层有 ${folders.length} 个目录和 ${files.length} 个文件：`,
      ),
      nameList([...folders, ...files], desk),
      documents.length > 0 && desk.say('Its Markdown files:', '其中的 Markdown 文件：'),
      documents.length > 0 && nameList(documents, desk),
    ]
      .filter(Boolean)
      .join('\n\n')
  },
}

/** A line about the project: its README's title and first paragraph, the scripts of its package.json. */
function purpose(about: string, desk: Desk): string {
  const title = /^#+ +(.+)$/m.exec(about)?.[1] ?? /"name": *"([^"]+)"/.exec(about)?.[1]
  const first = about.split(/\n\s*\n/).find(paragraph => /^[\p{L}\p{N}*_`"“]/u.test(paragraph))
  const scripts = [...(/"scripts": *\{([^}]*)\}/.exec(about)?.[1] ?? '').matchAll(/"([\w:-]+)":/g)]
  const commands = scripts.map(([, name]) => `\`npm run ${name}\``).join(', ')
  return [
    title && desk.say(`This is **${title}**.`, `这是 **${title}**。`),
    first?.replace(/\s+/g, ' ').slice(0, 300),
    commands && desk.say(`Its scripts: ${commands}.`, `可用的脚本：${commands}。`),
  ]
    .filter(Boolean)
    .join(' ')
}

export const readFile: Skill = {
  phrases: [
    en("(?:read|show me|show|open|explain|what is in|what’s in|what's in)(?: the)?(?: file)? <path>"),
    // Only what is a name of a file: “What does it do?” asks for something else.
    en('what does(?: the)?(?: file)? (?=\\S*[./])<path> do'),
    zh('(?:读取|读|打开|显示|查看|看看|看|解释)(?:一下)? <path> (?:的?内容)?'),
    zh('(?=\\S*[./])<path> (?:这个文件)?(?:是?[做干]什么用?的?|有什么用)'),
  ],
  *task({ path = '' }, desk): Task {
    const [text = ''] = yield [desk.call('read', { path })]
    const lines = plainFile(text)
    if (lines.length === 0) return failed(text, desk)
    const total = /Showing lines [\d,–]+ of (?:about )?([\d,]+)/.exec(text)?.[1] ?? String(lines.length)
    const head = desk.say(
      `\`${path}\` has ${total === '1' ? '1 line' : `${total} lines`}. It begins:`,
      `\`${path}\` 有 ${total} 行，开头是：`,
    )
    return `${head}\n\n${block(firstLines(lines.join('\n'), { lines: 12, more: rest(desk) }))}`
  },
}

const ENDINGS: Record<string, string> = { typescript: 'ts', javascript: 'js', python: 'py', markdown: 'md' }

export const findFiles: Skill = {
  phrases: [
    en('(?:find|list)(?: all)?(?: the)? (?<name>\\S+) files?'),
    en('(?:find|list|where is) (?<name>\\S*[.*]\\S*)'),
    zh('(?:查找|找|列出)(?:一下)? (?:所有的?)? (?<name>\\S+?) 的?文件'),
  ],
  *task({ name = '' }, desk): Task {
    const ending = ENDINGS[name.toLowerCase()]
    const pattern = ending
      ? `**/*.${ending}`
      : /\//.test(name)
        ? name
        : `**/${/[.*]/.test(name) ? name : `*${name}*`}`
    const [text = ''] = yield [desk.call('find', { pattern })]
    const paths = readListing(text)
    if (paths.length === 0)
      return desk.say(`No file matches \`${pattern}\`.`, `没有文件匹配 \`${pattern}\`。`)
    const head = desk.say(
      `${plural(paths.length, 'file matches', 'files match')} \`${pattern}\`:`,
      `有 ${paths.length} 个文件匹配 \`${pattern}\`：`,
    )
    return `${head}\n\n${nameList(paths, desk)}`
  },
}

export const searchText: Skill = {
  phrases: [
    en('(?:search for|search|grep|look for|find) <text> in(?: the file)? <path>'),
    en('(?:search for|search|grep|look for|find|where is) <text>'),
    zh('在 <path> (?:里面|里|中)? (?:搜索|查找|找)(?:一下)? <text>'),
    zh('(?:搜索|查找|找)(?:一下)? <text>'),
  ],
  *task({ text = '', path }, desk): Task {
    const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const [output = ''] = yield [desk.call('grep', { pattern, path })]
    const hits = output.split('\n').filter(line => /^\S.*?:\d+:/.test(line))
    if (hits.length === 0) {
      const nothing = desk.say(`I found no “${text}”.`, `没有找到“${text}”。`)
      return /^no |exit code 1$/im.test(output) ? nothing : `${nothing}\n\n${failed(output, desk)}`
    }
    const files = new Set(hits.map(line => line.split(':')[0]))
    const head = desk.say(
      `“${text}” stands in ${plural(hits.length, 'line')} of ${plural(files.size, 'file')}:`,
      `“${text}”出现在 ${files.size} 个文件的 ${hits.length} 行中：`,
    )
    return `${head}\n\n${block(firstLines(hits.join('\n'), { lines: 10, more: rest(desk) }))}`
  },
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
