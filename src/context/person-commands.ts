/** Commands that the person ran between prompts: what the model is told of them, before the next words. */

export interface PersonCommand {
  command: string
  /** undefined: it did not end by itself. */
  exit_code: number | undefined
  /** As the bash tool would show it; the exit code of a failure is in it. undefined: it went to the person's terminal alone. */
  output?: string
  /** The person had sent it to the background, where it has ended now. */
  sent?: true
}

export const withCommands = (text: string, commands: readonly PersonCommand[]): string =>
  commands
    .map(command => `${command.sent ? SENT : OWN}\n$ ${command.command}\n${saidBy(command)}\n\n`)
    .join('') + text

const OWN = 'I ran a command myself:'
const SENT = 'A command that I had sent to the background has ended:'

const saidBy = ({ output, exit_code }: PersonCommand): string =>
  output ?? `(on my own terminal, exit code ${exit_code ?? 'unknown'})`
