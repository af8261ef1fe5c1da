/** Programs that show the text of files, or make something of it. */
import { names, type Reader } from './reader.ts'

const sum: Reader = { flags: 'bt', operands: 'paths' }
const ends = {
  valued: 'nc',
  numbers: true,
  longValued: names('lines bytes'),
  operands: 'paths',
} as const satisfies Reader

export const text: Readonly<Record<string, Reader>> = {
  cat: {
    flags: 'AbeEnstTuv',
    long: names('number show-all show-ends show-tabs squeeze-blank'),
    operands: 'paths',
  },
  tac: { flags: 'br', valued: 's', operands: 'paths' },
  rev: { operands: 'paths' },
  head: { ...ends, flags: 'qvz', long: names('quiet verbose') },
  tail: {
    ...ends,
    flags: 'qvzfFr',
    valued: 'ncs',
    longValued: names('lines bytes pid'),
    long: names('quiet verbose follow'),
  },
  // Not --files0-from, which prints what stands in a file as errors.
  wc: { flags: 'clmwL', long: names('bytes chars lines words max-line-length'), operands: 'paths' },
  nl: { flags: 'p', valued: 'bdfhilnsvw', operands: 'paths' },
  cut: {
    flags: 'nsz',
    valued: 'bcdf',
    long: names('complement only-delimited'),
    longValued: names('bytes characters delimiter fields output-delimiter'),
    operands: 'paths',
  },
  tr: { flags: 'cCdst', long: names('complement delete squeeze-repeats'), operands: 'text' },
  fold: { flags: 'bs', valued: 'w', operands: 'paths' },
  expand: { flags: 'i', valued: 't', operands: 'paths' },
  unexpand: { flags: 'a', valued: 't', operands: 'paths' },
  column: { flags: 'tx', valued: 'scN', operands: 'paths' },
  paste: { flags: 'sz', valued: 'd', operands: 'paths' },
  comm: { flags: '123iz', operands: 'paths' },
  // Not -o, -T, --compress-program, --files0-from.
  sort: {
    flags: 'bcCdfghiMmnrRsuVz',
    valued: 'kt',
    long: names(
      'reverse unique numeric-sort human-numeric-sort version-sort ignore-case stable general-numeric-sort',
    ),
    longValued: names('key field-separator'),
    operands: 'paths',
  },
  // The second operand is a file that it writes.
  uniq: {
    flags: 'cdDiuz',
    valued: 'fsw',
    long: names('count repeated unique ignore-case'),
    operands: 'paths',
    most: 1,
    ordered: true,
  },
  diff: {
    flags: 'abBcdeEiNpqrstTuwy',
    valued: 'UCxWIS',
    long: names(
      `brief recursive side-by-side ignore-all-space ignore-space-change color unified report-identical-files new-file context`,
    ),
    longValued: names('unified context exclude color label width'),
    operands: 'paths',
    here: true,
    // Of two directories it compares the files, with -r or without.
    deep: () => 'files and links',
  },
  cmp: { flags: 'bls', valued: 'in', operands: 'paths' },
  md5sum: sum,
  sha1sum: sum,
  sha256sum: sum,
  sha512sum: sum,
  // Not -c, which prints what stands in a file as errors.
  shasum: { flags: 'b', valued: 'a', operands: 'paths' },
  b2sum: sum,
  md5: { flags: 'qr', operands: 'paths' },
  cksum: { operands: 'paths' },
  join: { flags: 'i', valued: 'tj12aeov', operands: 'paths' },
  fmt: { flags: 'cstu', valued: 'w', operands: 'paths' },
  od: { flags: 'abcdfilosxv', valued: 'AjNt', attached: 'w', operands: 'paths' },
  hexdump: { flags: 'bcCdovx', valued: 'ns', operands: 'paths' },
  // The second operand is a file that it writes; -r writes too.
  // `-ps` is one option, without a value.
  xxd: { flags: 'abeiEpu', valued: 'cglos', apart: true, operands: 'paths', most: 1, ordered: true },
  // Not -o, which writes on a Mac.
  base64: {
    flags: 'dD',
    valued: 'w',
    long: ['decode'],
    longValued: ['wrap'],
    operands: 'paths',
    most: 1,
    ordered: true,
  },
  // What begins with @ names a file with more arguments.
  strings: {
    flags: 'a',
    valued: 'ntT',
    operands: 'paths',
    each: /^[^@]/,
    unsafe: given => [...given.values()].find(value => /(^|\0)@/.test(value)),
  },
}
