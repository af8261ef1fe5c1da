import prompt from '../../../prompts/init.md'
import type { Desk } from '../commands/command.ts'

/** `/init`: the model looks at the project and writes AGENTS.md. */
export async function init(desk: Desk): Promise<void> {
  desk.prompt(prompt.trim(), '/init')
}
