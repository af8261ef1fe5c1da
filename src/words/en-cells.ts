/** What stands in the conversation: of thoughts, runs and calls. */
import { count, plural } from '../text/truncate.ts'
import { time } from './en-time.ts'

export const EN_CELLS = {
  cells: {
    thinking: 'Thinking',
    thought: (ms: number) => `Thought for ${time(ms)}`,
    took: (ms: number) => `took ${time(ms)}`,
    /** The same of a run that the person has ended. */
    stoppedAfter: (ms: number) => `Stopped after ${time(ms)}`,
    /** `waited`: how long a run waited for it (ms); 0: nobody did. */
    compacted: (before: number, after: number, waited: number) =>
      `The conversation so far was summarised: ${count(before)} → ${plural(after, 'token')}${waited >= 100 ? ` (waited ${time(waited)})` : ''}`,
  },
  tool: {
    failed: (line: string) => line,
    exit: (code: number) => `exit ${code}`,
    within: (pattern: string, place: string) => `${pattern} in ${place}`,
    denied: 'denied',
    stopped: 'stopped',
    outOfTime: 'out of time',
    sent: 'in the background',
    lines: (lines: number) => plural(lines, 'line'),
    linesOf: (from: number, to: number, total: number) =>
      `lines ${count(from)}–${count(to)} of ${count(total)}`,
    matches: (matches: number, files: number) =>
      matches === 0 ? 'nothing found' : `${count(matches)} in ${plural(files, 'file')}`,
    files: (files: number) => (files === 0 ? 'nothing found' : plural(files, 'file')),
    entries: (entries: number) => plural(entries, 'entry', 'entries'),
    task: (calls: number, read: number, way: 'branch' | 'fresh') =>
      `${plural(calls, 'call')}, ${plural(read, 'token')} read ${way === 'branch' ? 'after this conversation' : 'from the start'}`,
  },
}
