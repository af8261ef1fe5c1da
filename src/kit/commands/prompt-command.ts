/** Commands that are only a text: a person's own, from files, and what a skill tells. */
import type { Agent } from '../../session/agent.ts'
import type { Command, Expanded } from './command.ts'

export interface PromptCommand {
  name: string
  /** What it does, in the person's own language. */
  description: string
  /** What stands for its argument in the help: `FILE`. */
  argument?: string | undefined
  /** Sent to the model: `$ARGUMENTS` is what was typed behind the name, `$1` its first word. */
  text: string
  /** Commands in it, as `` !`git status` ``, are run (asked about like any), and what they say takes their place. */
  runs?: true
  /** Who answers it, and as whom: for its run. */
  model?: string | undefined
  agent?: Agent | undefined
  /** Its own commands have run, and it is being sent. */
  began?(): void
}

/**
 * A command that sends a text. The face sends the line as it was typed, and the session makes of it what the model reads:
 * so it steps in, waits and comes back like other words.
 */
export function promptCommand(command: PromptCommand): Command {
  const { name, description, argument } = command
  return {
    name,
    words: () => ({ does: description, ...(argument !== undefined && { argument }) }),
    argument: {},
    needs: ['prompt'],
    run: (host, typed) => host.prompt?.(typed === '' ? `/${name}` : `/${name} ${typed}`),
    expand: async typed => expanded(command, typed),
  }
}

function expanded({ text, runs, model, agent, began }: PromptCommand, typed: string): Expanded {
  const words = typed.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  const word = (at: number) => (words[at] ?? '').replace(/^(["'])(.*)\1$/s, '$2')
  const hasPlace = /\$(?:ARGUMENTS|[1-9])(?!\w)/.test(text)
  const filled = text.replace(/\$(ARGUMENTS|[1-9])(?!\w)/g, (_, which: string) =>
    which === 'ARGUMENTS' ? typed : word(Number(which) - 1),
  )
  // Words for which the text has no place come after it.
  const whole = hasPlace ? filled : [text, typed].filter(part => part !== '').join('\n\n')
  return {
    text: whole,
    ...(runs && { runs }),
    ...(model !== undefined && { model }),
    ...(agent && { agent }),
    ...(began && { began }),
  }
}
