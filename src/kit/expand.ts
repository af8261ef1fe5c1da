/** From a line that names a command of somebody's own to what the model is told. */
import type { Command, Expanded } from './commands/command.ts'
import { commandIn } from './commands/obey.ts'

/** undefined: the line is what it says. */
export async function expand(
  line: string,
  commands: () => Promise<{ commands: readonly Command[] }>,
): Promise<Expanded | undefined> {
  if (!/^\s*\/[^\s/]/.test(line)) return undefined
  const found = commandIn(line, (await commands()).commands)
  return found?.command.expand?.(found.argument)
}
