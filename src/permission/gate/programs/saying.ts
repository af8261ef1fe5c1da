/** Programs that read no file: they say what they are given, or something about the machine. */
import { said } from '../../../words/sayings/said.ts'
import { names, type Reader } from './reader.ts'
import { testProblem } from './test.ts'

const unknown = (name: string) => said('permission.unknown_reader', { name })

export const saying: Readonly<Record<string, Reader>> = {
  ':': { operands: 'text', literal: true },
  true: { operands: 'text', literal: true },
  false: { operands: 'text', literal: true },
  echo: { operands: 'text', literal: true },
  // With -v it sets a variable, and %n and %( are more than text.
  printf: {
    operands: 'text',
    whole: ([format]) =>
      format === undefined || /^-|%[^%a-zA-Z]*[hjlLtz]*[n(]/.test(format) ? unknown('printf') : undefined,
  },
  // It runs what it names, but with these options.
  command: {
    operands: 'text',
    whole: ([option = '', ...rest]) =>
      /^-[vV]$/.test(option) && !rest.some(word => word.startsWith('-')) ? undefined : unknown('command'),
  },
  test: { operands: 'text', whole: args => testProblem('test', args) },
  '[': { operands: 'text', whole: args => testProblem('[', args) },
  pwd: { flags: 'LP', operands: 'none' },
  whoami: { operands: 'none' },
  id: { flags: 'ugnGr', operands: 'text' },
  groups: { operands: 'none' },
  tty: { flags: 's', operands: 'none' },
  // Not a: it shows what other programs were given.
  pgrep: { flags: 'flnox', valued: 'u', operands: 'text' },
  expr: { operands: 'text' },
  uname: { flags: 'asnrvmpio', operands: 'none' },
  arch: { operands: 'none' },
  nproc: { long: ['all'], operands: 'none' },
  // Not those that ask a server for the name.
  hostname: { flags: 'sI', operands: 'none' },
  uptime: { flags: 'ps', operands: 'none' },
  sleep: { operands: 'text' },
  seq: { flags: 'w', valued: 'sf', operands: 'text' },
  basename: { flags: 'az', valued: 's', operands: 'text' },
  dirname: { flags: 'z', operands: 'text' },
  which: { flags: 'a', operands: 'text' },
  type: { flags: 'afptP', operands: 'text' },
  // Not e: it shows the environment of other programs.
  ps: { flags: 'efAu', valued: 'p', operands: 'text', each: /^(aux|ax|a|u|x|ux)$/ },
  // Not -s (sets the clock) and not -f (prints the lines of a file as errors); an operand without + sets the clock.
  date: {
    flags: 'uR',
    valued: 'd',
    attached: 'I',
    long: names('utc universal iso-8601 rfc-email'),
    longValued: names('date iso-8601 rfc-3339'),
    operands: 'text',
    each: /^\+/,
    // There a time zone may be a file.
    unsafe: given => ['d', 'date'].map(option => given.get(option)).find(value => value?.includes('TZ')),
  },
}
