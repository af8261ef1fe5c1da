/** What stands where gopi asks: may a call run, is a folder trusted, shall a run go on. */
import { plural } from '../text/truncate.ts'
import type { Texts } from './sayings/sayings.ts'

export const EN_ASKING = {
  approval: {
    title: {
      command: (_tool: string) => 'Run this command?',
      diff: (_tool: string) => 'Make this change?',
      text: (tool: string) => `Let ${tool} do this?`,
    },
    dangerTitle: {
      command: (_tool: string) => 'Dangerous: run this command?',
      diff: (_tool: string) => 'Dangerous: make this change?',
      text: (tool: string) => `Dangerous: let ${tool} do this?`,
    },
    why: (why: string) => `Why: ${why}`,
    touches: 'Touches',
    danger: 'It is asked about every time, whatever is allowed.',
    /** Something of it would have been invisible. */
    revealed: 'Invisible characters are written out.',
    buttons: {
      once: 'once',
      session: 'this session',
      edits: 'all edits of this session',
      save: 'always',
      wider: 'more or less',
      edit: 'change it',
      deny: 'no',
      denyWithReason: 'no, and say why',
      denyAll: 'no to all',
    },
    /** What a button would let through from now on. */
    rules: {
      session: (rules: number): string =>
        rules === 1 ? 'Allowed for this session:' : 'Allowed together for this session:',
      save: (rules: number): string =>
        rules === 1 ? 'Rule to be saved, for every project:' : 'Rules to be saved, for every project:',
    },
    /** Of the calls that ask in one reply. */
    among: ({ at, of }: { at: number; of: number }) => `${at} of ${of}`,
    /** Before the calls that will be asked about next. */
    later: 'Asked about next:',
    /** What a part of a command line does. */
    does: { reads: 'reads', writes: 'writes', network: 'network', unknown: 'unknown' },
    /** A wider rule; `earlier`: what of this session it would have let through. */
    step: (rules: string) => `For this session: ${rules}`,
    earlier: (calls: number, which: string) =>
      calls === 0
        ? 'Nothing else of this session would have run by it.'
        : `It would have let through ${calls === 1 ? 'one other call' : `${calls} other calls`} of this session: ${which}`,
    edited: 'The command as it is to run:',
    editedHint: ({ send, back }: Texts<'send' | 'back'>) =>
      `${send} runs it, and the model is told · ${back} goes back`,
    /** The rule was shown; Enter writes it. */
    save: ({ confirm, back }: Texts<'confirm' | 'back'>) =>
      `${confirm} saves it and goes on · ${back} goes back`,
    saved: 'Saved in your config.yaml, under permission.allow.',
    reason: 'What shall the model do instead?',
    reasonHint: ({ send, back }: Texts<'send' | 'back'>) =>
      `${send} sends it to the model · ${back} goes back`,
    scroll: ({ up, down }: Texts<'up' | 'down'>) => `${up} ${down} scroll`,
    /** In the place of `scroll` while the end has not been in sight. */
    unread: ({ down, allow }: Texts<'down' | 'allow'>) => `${down} to its end, then ${allow}`,
    /** It was to be allowed before. */
    notRead: 'Read it to its end before you allow it: scroll down.',
  },
  questions: {
    trust: 'Do you trust this folder?',
    trustFiles: 'It has its own instructions, skills, commands or configuration for gopi:',
    /** Before settings of its configuration, as they would stand in one's own. */
    trustSets: 'If you trust it, its configuration sets:',
    trustHint:
      'They tell the model what to do, and may allow commands. Without trust gopi works and leaves them out.',
    goOn: (turns: number) => `${plural(turns, 'turn')} so far. Go on?`,
    goOnFor: (turns: number) => `go on for ${turns} more`,
    yes: 'yes',
    no: 'no',
    /** Enter was pressed, which says neither. */
    answerFirst: ({ yes, no }: Texts<'yes' | 'no'>) =>
      `${yes} yes · ${no} no · what you have typed stays in the prompt`,
  },
}
