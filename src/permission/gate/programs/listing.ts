/** Programs that tell which files there are and what they are like, not what stands in them. */
import { names, type Reader } from './reader.ts'

const programs: Readonly<Record<string, Reader>> = {
  ls: {
    flags: '1aAbBcCdDfFgGhHiklLmnNopqQrRsStTuUvwxXZ',
    long: names(
      `all almost-all human-readable recursive reverse color directory size classify full-time inode
      group-directories-first no-group`,
    ),
    longValued: names('color sort time time-style format ignore hide width indicator-style'),
    operands: 'paths',
    here: true,
    deep: given => (given.has('L') && (given.has('R') || given.has('recursive')) ? 'links' : undefined),
  },
  // Not -o and -R with it, which write; its values stand in the next words, letter by letter.
  tree: {
    flags: 'adfhpsugCDFQinNl',
    valued: 'LIP',
    apart: true,
    long: names('dirsfirst noreport gitignore prune'),
    longValued: names('charset filelimit sort'),
    operands: 'paths',
    here: true,
    deep: given => (given.has('l') ? 'links' : undefined),
  },
  du: {
    flags: '0abcDhHkLlmsSx',
    valued: 'dtB',
    long: names('summarize human-readable total all apparent-size'),
    longValued: names('max-depth exclude threshold'),
    operands: 'paths',
    here: true,
    deep: given => (given.has('L') ? 'links' : undefined),
  },
  df: { flags: 'ahHiklmPTx', long: names('human-readable total'), operands: 'paths' },
  // Not -C (writes), -z (runs other programs), -m and -f (read lists), -p (changes times).
  file: {
    flags: 'bihkLNr',
    long: names('brief mime mime-type mime-encoding dereference'),
    operands: 'paths',
  },
  stat: {
    flags: 'LfntxF',
    valued: 'c',
    long: names('dereference file-system terse'),
    longValued: names('format printf'),
    operands: 'paths',
  },
  readlink: { flags: 'femnqsvz', operands: 'paths' },
  realpath: { flags: 'emLPqsz', longValued: names('relative-to relative-base'), operands: 'paths' },
  // Not -x and -X (run programs), not -l (runs ls).
  fd: fd(),
  fdfind: fd(),
}

export const listing: Readonly<Record<string, Reader>> = Object.fromEntries(
  Object.entries(programs).map(([name, reader]) => [name, { ...reader, lists: true }]),
)

function fd(): Reader {
  return {
    flags: 'HIusiFpag0',
    valued: 'tedEcSj',
    long: names(
      'hidden no-ignore case-sensitive ignore-case fixed-strings full-path absolute-path glob print0',
    ),
    longValued: names('type extension max-depth min-depth exclude color size changed-within changed-before'),
    operands: { after: 1 },
    here: true,
  }
}
