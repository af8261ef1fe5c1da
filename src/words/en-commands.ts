/** What commands do, for help and completion. gopi's own commands have these names. */

export interface CommandWords {
  does: string
  /** What may or must come after it: `NAME`. */
  argument?: string
  /** What must come after it, in a sentence. */
  expects?: string
}

export const EN_COMMANDS = {
  help: { does: 'keys and commands' },
  model: { does: 'choose a model', argument: 'NAME' },
  mode: { does: 'set the permission mode', argument: 'ask|auto-edit|plan|yolo' },
  think: {
    does: 'think before answering, or not',
    argument: 'off|on|low|medium|high|max',
    expects: 'off, on, low, medium, high or max',
  },
  plan: { does: 'look and plan only, in mode plan', argument: 'WHAT' },
  agent: { does: 'who goes on: build, plan, general, explore, or one of your own', argument: 'NAME' },
  rewind: { does: 'go back to before an earlier prompt', argument: 'HOW MANY' },
  undo: { does: 'take the last prompt back, and what it did to files' },
  redo: { does: 'bring back what was undone' },
  retry: { does: 'have the last prompt answered again, by another model too', argument: 'MODEL' },
  commit: { does: 'commit what is staged, with a message from the model', argument: 'HINT' },
  review: { does: 'have your changes reviewed; nothing is changed', argument: 'BASE' },
  'pr-message': { does: 'write the text of a pull request', argument: 'BASE' },
  diff: { does: 'what this session changed; revert files or parts of them' },
  image: { does: 'name the picture in the clipboard, for the model to see' },
  btw: { does: 'ask something at the side, which is forgotten', argument: 'QUESTION', expects: 'a question' },
  todo: { does: 'what the model has set out to do' },
  tasks: { does: 'what runs in the background, to be ended' },
  background: { does: 'send the command that runs to the background' },
  until: {
    does: 'go on until a command passes',
    argument: 'COMMAND',
    expects: 'a command, such as npm test',
  },
  verify: { does: 'what checks the work before an answer counts; off: nothing', argument: 'off' },
  later: {
    does: 'send this when the run has ended',
    argument: 'TEXT',
    expects: 'the words that are to wait',
  },
  stop: { does: 'stop the run' },
  compact: { does: 'summarise the conversation so far', argument: 'WHAT TO KEEP' },
  context: { does: 'what fills the context' },
  cost: { does: 'tokens and seconds of this session' },
  sessions: { does: 'the sessions of this directory', argument: 'delete ID' },
  resume: { does: 'go on with another session of this directory', argument: 'ID' },
  fork: { does: 'go on in a copy of this session' },
  clear: { does: 'begin a new session' },
  name: { does: 'give this session a name', argument: 'NAME' },
  export: { does: 'write the conversation to a file, Markdown or HTML', argument: 'FILE' },
  init: { does: 'have an AGENTS.md written for this project' },
  config: { does: 'what is configured, and where it came from' },
  copy: { does: 'copy the last answer to the clipboard' },
  mouse: { does: 'give the mouse to gopi, or back to the terminal' },
  theme: { does: 'choose the colours', argument: 'dark|light|system|NAME' },
  trust: { does: 'be asked again whether this folder is trusted' },
  doctor: { does: 'look whether anything is missing here' },
  quit: { does: 'leave gopi' },
} as const satisfies Readonly<Record<string, CommandWords>>

export type CommandName = keyof typeof EN_COMMANDS
