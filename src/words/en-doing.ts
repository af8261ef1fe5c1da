/** What commands of a conversation say. */
import { count, plural } from '../text/truncate.ts'
import type { Texts } from './sayings/sayings.ts'

export const EN_DOING = {
  doing: {
    /** What was typed before; a line mode has no editor to put it in. */
    wasTyped: (text: string) => `It said: ${text}`,
    rewind: {
      which: 'Back to before which prompt?',
      none: 'There is no earlier prompt to go back to.',
      nothingToRedo: 'There is nothing to bring back.',
      noSuch: (number: string, most: number) => `Expected a number from 1 to ${most}; came ${number}.`,
      what: 'What goes back?',
      both: 'conversation and files',
      conversation: 'the conversation only',
      files: 'the files only',
      ago: (prompts: number) => (prompts === 1 ? 'the last one' : `${plural(prompts, 'prompt')} back`),
      confirm: 'Go back?',
      /** `conversation`: it goes back too. */
      title: (prompt: string, conversation: boolean) =>
        conversation
          ? `Back to before “${prompt}”.`
          : `Files back to before “${prompt}”; the conversation stays.`,
      noFiles: 'No file would change.',
      restore: ({ path, added, removed }: Texts<'path' | 'added' | 'removed'>) =>
        `  changes  ${path}  +${added} −${removed}`,
      create: (path: string) => `  brings back  ${path}`,
      remove: (path: string) => `  removes  ${path}`,
      conflict: (path: string) => `  stays as it is, for somebody else has changed it  ${path}`,
      unknown: (path: string) => `  stays as it is, for what it held before is not known  ${path}`,
      link: (path: string) => `  stays as it is, for it is no plain file any more  ${path}`,
      lost: 'Commands changed these too, which cannot be undone:',
      more: (files: number) => `  and ${plural(files, 'more file', 'more files')}`,
      done: (files: number) =>
        files === 0
          ? 'Went back; /redo in an empty prompt takes that back.'
          : `Went back, ${plural(files, 'file')} changed; /redo in an empty prompt takes that back.`,
      redone: (files: number) =>
        `It is there again${files === 0 ? '.' : `, ${plural(files, 'file')} changed.`}`,
    },
    agent: {
      which: 'Who goes on?',
      /** Those that gopi itself brings; the model is told of them in words of its own. */
      does: {
        build: 'all tools',
        plan: 'changes nothing, ends with a plan',
        general: 'any work, to its end',
        explore: 'reads only; answers where things are',
      },
      now: (name: string) => `The agent ${name} goes on from the next words on.`,
      nobody: 'No agent in particular goes on: all tools again.',
      anew: (name: string) =>
        `The agent ${name} goes on with its own tools, which the model has not been told of: it reads the conversation again.`,
      none: (name: string, all: string) => `There is no agent ${name}; there are ${all}.`,
      otherModel: (name: string) => `Its own model is ${name}: /model ${name} changes to it.`,
    },
    verify: {
      now: 'When files change, these run before an answer counts:',
      nothing: 'Nothing checks the work, and the project names nothing (see verify in config.yaml).',
      offer: 'Run these before an answer counts, in this session?',
      on: 'They run at the end of each run that changes such files; /verify off ends that.',
      off: 'Nothing checks the work any more in this session.',
      expects: '/verify expects nothing, or off.',
    },
    until: {
      fails: (command: string, left: number) =>
        `${command} fails; ${plural(left, 'turn is', 'turns are')} left.`,
      shown: (command: string) => `(until ${command} passes)`,
      passes: (command: string) => `${command} passes.`,
      limit: (command: string) => `${command} still fails, and the turns are used up.`,
      refused: (command: string, why: string) => `${command} may not run: ${why}`,
    },
    tasks: {
      none: 'Nothing runs in the background.',
      which: 'In the background (Enter: its output)',
      silent: 'It has written nothing since it went to the background.',
      keep: 'let it run',
      end: 'end it',
      ended: (id: string) => `${id} has ended.`,
    },
    retry: {
      none: 'There is no prompt yet that could be answered again.',
      again: 'The last prompt goes to the model again.',
      /** `id`: of the session in which the old answer stays. */
      kept: (id: string) => `The answer so far is kept: /resume ${id}.`,
    },
    diff: {
      nothing: 'This session has changed no file.',
      others: 'Also changed, without it being known what they held before:',
      which: 'Changed files (Enter: revert)',
      all: 'revert the whole file',
      part: 'revert line',
      keep: 'keep it',
      done: 'Reverted.',
      changed: 'The file has changed meanwhile: nothing was done.',
    },
    btw: {
      asking: 'Asking at the side …',
      title: (question: string) => `By the way: ${question}`,
      silent: 'The model had no answer to that.',
      over: 'Answered; the conversation knows nothing of it.',
    },
    context: {
      total: (used: number, limit: number, percent: number) =>
        `The context holds ${plural(used, 'token')} of ${count(limit)} (${percent} %).`,
      server: (tokens: number) =>
        `The server counted ${plural(tokens, 'token')} after the last reply; the parts are estimates:`,
      system: 'system text',
      instructions: 'instructions (AGENTS.md)',
      tools: 'tools',
      prompts: 'prompts, with the files in them',
      replies: 'replies and calls',
      results: 'results of tools',
      /** What the model's template puts around all these. */
      rest: 'around them',
      biggest: 'The biggest results:',
    },
    cost: {
      turns: (prompts: number, turns: number) => `${plural(prompts, 'prompt')}, ${plural(turns, 'turn')}`,
      read: (read: number, all: number) =>
        `read: ${plural(read, 'token')} anew, ${count(Math.max(0, all - read))} the server still had`,
      written: (tokens: number) => `written: ${plural(tokens, 'token')}`,
      /** Agents and questions at the side: a part of the above. */
      side: (turns: number, read: number, written: number) =>
        `of that at the side: ${plural(turns, 'turn')}, ${plural(read, 'token')} read, ${count(written)} written`,
      price: (amount: string) => `cost: ${amount}, by the prices in the configuration`,
      time: ({ load, prefill, decode, tools }: Texts<'load' | 'prefill' | 'decode' | 'tools'>) =>
        `loading ${load}, reading ${prefill}, writing ${decode}, tools ${tools}`,
    },
    name: {
      none: 'This session has no name; /name NAME gives it one.',
      now: (name: string) => `This session is called ${name}.`,
    },
    sessions: {
      expected: 'nothing, or delete and the id of a session',
      ownOne: 'This session goes on; leave it before it is deleted.',
      sure: 'Delete this session for good?',
      removed: (id: string) => `Session ${id} is deleted.`,
      isOpen: (id: string, process: number) =>
        `Session ${id} is open in another gopi (process ${process}): it stays.`,
    },
    export: {
      nothing: 'Nothing has been said yet.',
      overwrite: 'This file is there already. Overwrite it?',
      done: (file: string) => `Written to ${file}.`,
      person: 'You',
    },
    shell: {
      expected: 'a command',
      notRun: 'It was not run.',
    },
    git: {
      none: 'This directory lies in no git repository.',
      gone: (directory: string) => `The directory ${directory} is gone.`,
      failed: (problem: string) => `git could not do it: ${problem}`,
      underWay: (what: string) => `A ${what} is under way in this repository.`,
      detached: 'HEAD is detached: a commit belongs to no branch here.',
      empty: 'The repository has no commit yet.',
      unmerged: (files: readonly string[]) => `Conflicts are not resolved: ${files.join(', ')}.`,
      nothing: 'There is nothing to commit.',
      unstaged: 'Nothing is staged. Changed:',
      fresh: '(new)',
      stageFirst: 'Nothing is staged; git add says what is to be committed.',
      which: 'What is to be staged?',
      stageKnown: (files: number) => `what git knows already (${plural(files, 'file')})`,
      stageAll: (files: number) => `everything, new files too (${plural(files, 'file')})`,
      stageNone: 'nothing',
      writing: 'Asking the model …',
      partOnly:
        'The changes do not fit the context: the model sees the list of files and the first part of them.',
      noMessage: 'The model wrote no message; /commit -m TEXT commits with yours.',
      how: 'Commit with this message?',
      commit: 'commit',
      change: 'change the message first',
      editor: 'change it in git’s editor',
      leave: 'leave it',
      done: (commit: string) => `Committed: ${commit}`,
      notCommitted: 'It was not committed.',
      noBase: 'No usual base was found; name one, as in /pr-message main.',
      noCommit: (name: string) => `There is no commit called ${name}.`,
      nothingSince: (base: string) => `Nothing has changed since ${base}.`,
      nothingYet: 'an empty repository',
      nothingToReview: 'There is nothing to review.',
      untracked: (files: number) => `Not looked at: ${plural(files, 'new file')} that git does not know yet.`,
      unread: (files: readonly string[]) => `Not looked at (binary, or a submodule): ${files.join(', ')}.`,
      tooLong: 'The diff is longer than 4 MB: what comes after that is not looked at.',
      reviewing: ({ files, pieces, against }: { files: number; pieces: number; against: string }) =>
        `Reviewing ${plural(files, 'file')} against ${against} in ${plural(pieces, 'piece')} …`,
      piece: (done: number, all: number) => `${done} of ${all} pieces are read.`,
      brokeOff: (done: number, all: number) => `The review broke off: ${done} of ${all} pieces were read.`,
      noFindings: 'No findings.',
      elsewhere: (findings: number) => `(${plural(findings, 'finding')} named no file of the diff.)`,
      severity: { high: 'high', medium: 'medium', low: 'low' },
    },
    image: {
      noVision: (model: string) => `${model} takes no images; /model chooses one that does.`,
      noTool: 'No tool that reads pictures from the clipboard was found: wl-paste, xclip or pngpaste.',
      none: 'There is no picture in the clipboard.',
    },
    todo: { none: 'The model keeps no list; tools.todo: true in config.yaml lets it.' },
    plan: {
      title: 'The plan stands. How does it go on?',
      ask: 'carry it out; changes ask first',
      edit: 'carry it out; edits in the project run unasked',
      change: 'edit the plan first',
      reject: 'stay in mode plan',
      /** What is sent then. */
      go: 'Carry out the plan.',
      /** Above a plan that the person has changed. */
      changed: 'Carry out this plan:',
    },
  },
}
