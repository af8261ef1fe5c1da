/** `!command` and `!!command`: the person's own commands; those that need a real terminal get it. */
import { spawn } from 'node:child_process'
import { findBash } from '../../paths/program.ts'
import type { Desk } from '../commands/command.ts'

/** `line`: with its marks; two keep the output out of the conversation. */
export async function shell(desk: Desk, line: string): Promise<void> {
  const { session, words, refuse, lend } = desk
  const onTerminal = desk.elsewhere ?? (lend && ((line: string, cwd: string) => lend(() => ended(line, cwd))))
  const [, marks = '', typed = ''] = /^(!!?)([\s\S]*)$/.exec(line) ?? []
  const command = typed.trim()
  if (command === '') return refuse(words.notices.expects(marks, words.doing.shell.expected))
  const forModel = marks === '!'
  if (onTerminal && needsTerminal(command)) {
    const refusal = await session.shell.allows(command, new AbortController().signal)
    if (refusal) return refuse(refusal.refused ? words.say(refusal.refused) : words.doing.shell.notRun)
    const code = await onTerminal(command, session.shellCwd)
    // What it wrote was on the terminal; that it ran stands in the conversation.
    desk.runs(command).end({
      content: '',
      is_error: code !== 0,
      details: { command, exit_code: code, output_lines: 0 },
    })
    return session.shell.note({ command, exit_code: code }, forModel)
  }
  const running = desk.runs(command)
  const ran = await session.shell.run(command, { forModel, ...running })
  if (!('refused' in ran)) return running.end(ran)
  running.end(undefined)
  refuse(ran.refused ? words.say(ran.refused) : words.doing.shell.notRun)
}

const interactive =
  /^(?:(?:sudo|su|doas|ssh|telnet|ftp|sftp|passwd|vi|vim|nvim|nano|emacs|pico|less|more|most|man|top|htop|btop|watch|tmux|screen|mc|fzf|tig|lazygit|gdb|psql|mysql|sqlite3)(?:\s|$)|git\s+(?:rebase\s+(?:.*\s)?(?:-i|--interactive)|add\s+(?:.*\s)?(?:-p|-i|--patch)|checkout\s+(?:.*\s)?-p|stash\s+(?:.*\s)?-p|commit(?!.*\s(?:-[a-z]*[mFC]|--message|--file|--no-edit|--dry-run)))|(?:python3?|node|irb|ghci|bash|sh|zsh|fish)\s*$|docker\s+(?:run|exec)\s+(?:.*\s)?-[a-z]*t)/

/** It would ask for keys: whatever it is behind, as in `FOO=1 cmd`, is looked past. */
const needsTerminal = (command: string): boolean =>
  interactive.test(command.replace(/^(?:\w+=\S*\s+|cd\s+\S+\s*&&\s*)*/, ''))

/** On the person's own terminal, outside of the session's bash. → its exit code. */
function ended(command: string, cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(findBash(process.env) ?? '/bin/bash', ['-c', command], { stdio: 'inherit', cwd })
    child.once('error', reject)
    child.once('exit', code => resolve(code ?? 1))
  })
}
