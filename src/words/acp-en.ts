/** What gopi says in an editor, besides what it says everywhere; loaded there only. */
import type { Thinking } from '../protocol/wire.ts'

const THINKING: Record<Thinking, string> = {
  off: 'off',
  on: 'on',
  low: 'low',
  medium: 'medium',
  high: 'high',
  max: 'max',
}

export const ACP_EN = {
  atTerminal: 'gopi acp is for an editor that starts it, and waits for its messages now. Ctrl+D ends it.',
  once: 'Yes, once',
  session: (rules: string) => `Yes, for this session: ${rules}`,
  always: (rules: string) => `Yes, always: ${rules}`,
  no: 'No',
  noAndWhy: 'No, and say why',
  whyNot: 'What should the model do instead?',
  sayWhyNot: 'Not done. Say what the model should do instead.',
  none: 'none of these',
  mode: 'Mode',
  model: 'Model',
  think: 'Thinking',
  thinking: THINKING,
  version: (version: number) => `The editor asked for version ${version} of the protocol; gopi speaks 1.`,
  absolute: (path: string) => `Expected an absolute path of a directory; came ${path}.`,
  noDirectory: (path: string) => `${path} is no directory.`,
  noSession: (id: string) => `There is no session ${id} of this directory.`,
  notOpen: (id: string) => `Session ${id} is not open here.`,
  isOpen: (id: string, process: number) =>
    `Session ${id} is open in another gopi (process ${process}): it stays.`,
  nothingSaid: 'The prompt holds nothing that a model can be told.',
  leftOut: (names: string) => `Left out, for no model can be shown it: ${names}`,
  noSse: (name: string) => `MCP server ${name} speaks SSE, which gopi does not; it is left out.`,
  inEditor: 'The editor does that by itself.',
  noOption: (id: string) => `There is no setting ${id}.`,
  noChoice: (value: string, known: string) => `Expected ${known}; came ${value}.`,
  running: 'A run is going: this waits for its end.',
}
