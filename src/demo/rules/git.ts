/** What gopi itself asks for its git commands. The script reads what it is given, and knows nothing of code. */
import type { Desk, Task } from './task.ts'

/** By the words with which it begins; undefined: it is something else. */
export function gitTask(words: string, desk: Desk): Task | undefined {
  if (/^Review the changes below, part \d+ of \d+\./.test(words)) return saying(findings(words, desk))
  const [, file] = /^ (\S.*?) +\| +(?:\d|Bin)/m.exec(words) ?? []
  const name = file?.replace(/^.*\//, '') ?? desk.say('what is staged', '已暂存的内容')
  if (words.startsWith('Write the message of a git commit'))
    return saying(desk.say(`Change ${name}`, `修改 ${name}`))
  const [, latest] = /^Commits:\n(.+)$/m.exec(words) ?? []
  if (words.startsWith('Write the title and the description of a pull request'))
    return saying(desk.say(`${latest}\n\nIt changes ${name}.`, `${latest}\n\n修改了 ${name}。`))
  return undefined
}

// biome-ignore lint/correctness/useYield: nothing is called
function* saying(answer: string): Task {
  return answer
}

/** Lines that were added and that people leave behind by mistake. */
const LEFT = /\b(?:TODO|FIXME|XXX)\b|\bconsole\.log\(|\bdebugger\b/

function findings(words: string, desk: Desk): string {
  let file = ''
  const found: string[] = []
  for (const line of words.split('\n')) {
    const [, path] = /^== (.+)$/.exec(line) ?? []
    if (path !== undefined) file = path
    const [, number, text = ''] = /^ *(\d+) \+(.*)$/.exec(line) ?? []
    const [what] = LEFT.exec(text) ?? []
    if (number !== undefined && what !== undefined)
      found.push(`${file}:${number} [low] ${desk.say(`${what} was left here`, `此处留有 ${what}`)}`)
  }
  return found.length === 0 ? 'none' : found.join('\n')
}
