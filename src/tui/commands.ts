/** What a line that begins with `/` asks for. */
import type { PermissionMode } from '../protocol/events.ts'
import { nearest } from '../text/nearest.ts'
import type { CommandName } from '../words/helping.ts'
import type { Words } from '../words/words.ts'
import type { Effect } from './effect.ts'

/** A command that waits until nothing runs. */
const RESTING: ReadonlySet<CommandName> = new Set(['model', 'resume', 'clear', 'compact'])
const MODES: readonly PermissionMode[] = ['ask', 'auto-edit', 'plan', 'yolo']
/** Those that one key steps through: nobody gets into yolo by pressing it once too often. */
const STEPPED: readonly PermissionMode[] = ['ask', 'auto-edit', 'plan']

export interface Ordered {
  effects?: readonly Effect[]
  /** A word to the person. */
  hint?: string
  /** The help is to be opened. */
  help?: boolean
}

/** undefined: no command, but words for the model. A path such as /etc/hosts is no command. */
export function order(
  text: string,
  { running, words }: { running: boolean; words: Words },
): Ordered | undefined {
  const [, name = '', rest = ''] = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? []
  if (name === '') return undefined
  if (!isCommand(name, words)) {
    if (rest !== '') return undefined
    const near = nearest(name, Object.keys(words.commands))
    return { hint: words.notices.noSuchCommand(`/${name}`, near && `/${near}`) }
  }
  if (running && RESTING.has(name)) return { hint: words.notices.notWhileRunning(`/${name}`) }
  return meaning(name, rest.trim(), { running, words })
}

const isCommand = (name: string, words: Words): name is CommandName => Object.hasOwn(words.commands, name)

function meaning(
  name: CommandName,
  argument: string,
  { running, words }: { running: boolean; words: Words },
): Ordered {
  switch (name) {
    case 'help':
      return { help: true }
    case 'model':
      return {
        effects: [
          argument === '' ? { type: 'list', purpose: 'model' } : { type: 'use_model', name: argument },
        ],
      }
    case 'resume':
      return {
        effects: [argument === '' ? { type: 'list', purpose: 'session' } : { type: 'resume', id: argument }],
      }
    case 'clear':
      return { effects: [{ type: 'new_session' }] }
    case 'compact':
      return { effects: [{ type: 'compact', hint: argument }] }
    case 'mode':
      return inMode(argument, words)
    case 'later':
      return argument === ''
        ? { hint: words.notices.laterNeedsWords }
        : { effects: [{ type: running ? 'follow_up' : 'prompt', text: argument }] }
    case 'stop':
      return running ? { effects: [{ type: 'abort' }] } : { hint: words.notices.nothingRunning }
    case 'copy':
      return { effects: [{ type: 'copy' }] }
    case 'mouse':
      return { effects: [{ type: 'switch_mouse' }] }
    case 'theme':
      return {
        effects: [
          argument === '' ? { type: 'list', purpose: 'theme' } : { type: 'use_theme', name: argument },
        ],
      }
    case 'quit':
      return { effects: [{ type: 'leave' }] }
  }
}

function inMode(argument: string, words: Words): Ordered {
  if (argument === '') return { effects: [{ type: 'list', purpose: 'mode' }] }
  const mode = modeNamed(argument)
  if (mode) return { effects: [{ type: 'set_mode', mode }] }
  return { hint: words.notices.noSuchMode(argument, MODES.join(', ')) }
}

export const modeNamed = (name: string): PermissionMode | undefined => MODES.find(known => known === name)

/** What Shift+Tab changes to. */
export function nextMode(mode: PermissionMode): PermissionMode {
  return STEPPED[(STEPPED.indexOf(mode) + 1) % STEPPED.length] ?? 'ask'
}
