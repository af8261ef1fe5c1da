/** Running a command, and explaining one that fails from what it printed. */
import { plainFile, rest } from './look.ts'
import type { Desk, Skill, Task } from './task.ts'
import { block, en, firstLines, zh } from './words.ts'

export const explainFailure: Skill = {
  phrases: [
    en('(?:why (?:does|did)|explain why) <command> (?:fails?|failed)'),
    en('explain a failing command'),
    zh('解释(?:一下|一个)? 失败的?命令'),
    zh('(?:为什么|解释一下为什么|解释) <command> (?:会|总是)? (?:失败|报错|出错)'),
  ],
  // The example fails everywhere and harms nothing.
  task: ({ command = 'ls no-such-file' }, desk) => running(command, desk),
}

export const runCommand: Skill = {
  phrases: [
    en('(?:run|execute)(?: the command)? <command>'),
    zh('(?:运行|执行)(?:一下)?(?:命令)? <command>'),
  ],
  task: ({ command = '' }, desk) => running(command, desk),
}

function* running(words: string, desk: Desk): Task {
  // “`npm test` in this project” means `npm test`.
  const command = /`([^`]+)`/.exec(words)?.[1] ?? words
  const [output = ''] = yield [desk.call('bash', { command })]
  const code = /^exit code (\d+)$/m.exec(output)?.[1]
  if (code === undefined) return succeeded({ command, output }, desk)
  const [, path = '', line = '1'] = /(?:^|[\s(])((?:\.{0,2}\/)?[\w@][\w./@-]*\.\w+):(\d+)/.exec(output) ?? []
  const from = Math.max(1, Number(line) - 2)
  const [place = ''] = path ? yield [desk.call('read', { path, offset: from, limit: 5 })] : []
  const shown = plainFile(place)
  return [
    desk.say(`\`${command}\` failed with exit code ${code}.`, `\`${command}\` 失败了，退出码是 ${code}。`),
    `${desk.say('The first error it reports:', '它报告的第一个错误：')}\n\n${block(firstError(output))}`,
    shown.length > 0 &&
      `${desk.say(`The place it names, \`${path}\` from line ${from}:`, `它指出的位置，\`${path}\` 第 ${from} 行起：`)}\n\n${block(shown.join('\n'))}`,
    code === '127' &&
      desk.say(
        'Exit code 127 means that the shell knows no such command.',
        '退出码 127 表示 shell 找不到这个命令。',
      ),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function succeeded({ command, output }: { command: string; output: string }, desk: Desk): string {
  const notOver = withoutEnd({ command, output }, desk)
  if (notOver !== undefined) return notOver
  if (output.trim() === '' || output === '(no output)')
    return desk.say(`\`${command}\` ran and printed nothing.`, `\`${command}\` 已运行，没有输出。`)
  const head = desk.say(`\`${command}\` succeeded and printed:`, `\`${command}\` 运行成功，输出：`)
  return `${head}\n\n${block(firstLines(output, { lines: 20, more: rest(desk) }))}`
}

/** What the shell says of a command that did not end by itself, below what the command wrote. */
function withoutEnd(
  { command, output }: { command: string; output: string },
  desk: Desk,
): string | undefined {
  const last = output.trim().split('\n').at(-1) ?? ''
  const [, id] = /^The user sent this command to the background, where it goes on as (\w+)\./.exec(last) ?? []
  if (id !== undefined)
    return desk.say(
      `\`${command}\` goes on in the background, as ${id}. I shall be told how it ended.`,
      `\`${command}\` 在后台继续运行，编号 ${id}。它结束时我会得到通知。`,
    )
  const [, patience] = /^The command did not end within ([\d.]+) s; its processes were ended/.exec(last) ?? []
  if (patience === undefined) return undefined
  return desk.say(
    `\`${command}\` did not end within ${patience} s, and was stopped.`,
    `\`${command}\` 在 ${patience} 秒内没有结束，已被停止。`,
  )
}

function firstError(output: string): string {
  const lines = output.split('\n').filter(line => line.trim() !== '' && !/^exit code \d+$/.test(line))
  const telling = /error|fail|not found|no such|cannot|denied|exception|not ok|✖/i
  return (lines.find(line => telling.test(line)) ?? lines.at(-1) ?? '').trim()
}
