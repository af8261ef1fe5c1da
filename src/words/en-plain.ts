/** What the line mode says by itself. */
import type { Texts } from './sayings/sayings.ts'

const PLAIN_HELP = `Type what you want done and press Enter. A line that ends in \\ goes on in the next.
While gopi works, Enter steps in with your words at once.
Ctrl+C stops the run, twice leaves; Ctrl+D leaves.`

type Greeting = Texts<'version' | 'model' | 'dialect' | 'host' | 'mode'>

export const EN_PLAIN = {
  plain: {
    greeting: ({ version, model, dialect, host, mode }: Greeting) =>
      `gopi ${version} · ${model} (${dialect}) at ${host} · ${mode} · /help`,
    /** Above the commands. */
    help: PLAIN_HELP,
    thinking: 'thinking',
    wasThought: '(That was a thought. The answer:)',
    wantsToRun: (tool: string, why: string) => `gopi wants to run ${tool}: ${why}`,
    /** What the letters a and s would set. */
    forSession: (rules: string) => `a, for this session: ${rules}`,
    forAlways: (rules: string) => `s, saved for always: ${rules}`,
    /** `letters`: those that say yes. */
    runIt: (letters: string) => `Run it? (${letters}, n, or e and what the model should do instead) `,
    goOn: (turns: number) => `${turns} turns so far: go on for as many more? (y/n) `,
    trustQuestion: 'Do you trust it? (y/n) ',
    whichSession: 'Which session? ',
    yesOrNo: '(y/n)',
    expectedNumber: (most: number) => `Expected a number from 1 to ${most}.`,
    context: (used: number, limit: number, percent: number) =>
      `[context ${used} of ${limit} tokens, ${percent} %]`,
    waitingForInput: 'waiting for the end of standard input (it is a pipe) …',
  },
}
