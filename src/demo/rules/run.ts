/** Running a command, and explaining one that fails from what it printed. */
import { plainFile, rest } from './look.ts'
import type { Desk, Skill, Task } from './task.ts'
import { block, firstLines, firstMatch, withoutEnd } from './words.ts'

export const explainFailure: Skill = (words, desk) => {
  const found = firstMatch(withoutEnd(words), [
    /^(?:why (?:does|did|is|do)|explain(?: to me)? why|find out why|tell me why)\s+(?:the command\s+)?(?<command>.+?)\s+(?:fails?|failing|failed|break(?:s|ing)?|not work(?:ing)?|an error)\b.*$/i,
    /^(?:explain|debug|diagnose)\s+(?:the\s+|this\s+|a\s+)?(?:failing|failed|broken)\s+(?:command|test|tests)?\s*:?\s*(?<command>.*)$/i,
    /^解释(?:一下|一个|这个)*\s*失败的?(?:命令)?\s*[：:]?\s*(?<command>.*)$/,
    /^(?:为什么|为何|解释一下为什么|解释为什么|解释一下|解释)\s*(?:命令)?\s*(?<command>.+?)\s*(?:会|总是|一直)?\s*(?:失败|报错|出错|不行|不工作|跑不通)/,
    /^(?<command>.+?)\s*(?:为什么|为何|怎么)(?:会|总是|一直)?(?:失败|报错|出错|不行)/,
  ])
  return found ? running(commandOf(found.command || EXAMPLE), desk) : undefined
}

export const runCommand: Skill = (words, desk) => {
  const found = firstMatch(withoutEnd(words), [
    /^(?:run|execute|try)\s+(?:the\s+)?(?:command\s+)?:?\s*(?<command>[\s\S]+)$/i,
    /^(?:运行|执行|跑)(?:一下|下)?\s*(?:命令)?[：:]?\s*(?<command>[\s\S]+)$/,
    /^(?<command>`[^`]+`)$/,
  ])
  return found?.command ? running(commandOf(found.command), desk) : undefined
}

/** Fails everywhere and harms nothing. */
const EXAMPLE = 'ls no-such-file'

const WELL_KNOWN: Record<string, string> = {
  tests: 'npm test',
  test: 'npm test',
  测试: 'npm test',
  build: 'npm run build',
}

/** The command in backticks, if any: “`npm test` in this project” means `npm test`. */
function commandOf(text: string): string {
  const command = /`([^`]+)`/.exec(text)?.[1] ?? text
  return WELL_KNOWN[command] ?? command
}

function* running(command: string, desk: Desk): Task {
  const [output = ''] = yield [desk.call('bash', { command })]
  const code = /^exit code (\d+)$/m.exec(output)?.[1]
  if (code === undefined) return succeeded({ command, output }, desk)
  const error = firstError(output)
  const place = /(?:^|[\s(])((?:\.{0,2}\/)?[\w@][\w./@-]*\.\w+):(\d+)/.exec(output)
  const [, path = '', line = '1'] = place ?? []
  const from = Math.max(1, Number(line) - 2)
  const shown =
    path && !path.includes('node_modules') ? yield [desk.call('read', { path, offset: from, limit: 5 })] : []
  const code_lines = plainFile(shown[0] ?? '')
  return [
    desk.say(`\`${command}\` failed with exit code ${code}.`, `\`${command}\` 失败了，退出码是 ${code}。`),
    error && `${desk.say('The first error it reports:', '它报告的第一个错误：')}\n\n${block(error)}`,
    code_lines.length > 0 &&
      `${desk.say(`The place it names, \`${path}\` from line ${from}:`, `它指出的位置，\`${path}\` 第 ${from} 行起：`)}\n\n${block(code_lines.join('\n'))}`,
    hint(code, desk),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function succeeded({ command, output }: { command: string; output: string }, desk: Desk): string {
  if (output.trim() === '' || output === '(no output)')
    return desk.say(`\`${command}\` ran and printed nothing.`, `\`${command}\` 已运行，没有输出。`)
  const head = desk.say(`\`${command}\` succeeded and printed:`, `\`${command}\` 运行成功，输出：`)
  return `${head}\n\n${block(firstLines(output, { lines: 20, more: rest(desk) }))}`
}

function firstError(output: string): string {
  const lines = output.split('\n').filter(line => line.trim() !== '' && !/^exit code \d+$/.test(line))
  const telling =
    /error|fail|not found|no such|cannot|can't|denied|exception|unexpected|not ok|✖|错误|失败|没有/i
  return (lines.find(line => telling.test(line)) ?? lines.at(-1) ?? '').trim()
}

function hint(code: string, desk: Desk): string {
  if (code === '127')
    return desk.say(
      'Exit code 127 means that the shell knows no such command.',
      '退出码 127 表示 shell 找不到这个命令。',
    )
  if (code === '126')
    return desk.say(
      'Exit code 126 means that the file may not be executed.',
      '退出码 126 表示该文件不可执行。',
    )
  return ''
}
