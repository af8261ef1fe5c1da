/** What commands ask of the screen. */
import type { Command, Host, Purpose } from '../kit/commands/command.ts'
import { obey, perform } from '../kit/commands/obey.ts'
import { BUILT_IN } from '../kit/commands/table.ts'
import type { CommandName } from '../words/en-commands.ts'
import type { Words } from '../words/words.ts'
import type { Effect } from './effect.ts'

export interface Orders {
  effects: readonly Effect[]
  /** A word to the person. */
  hint?: string
  /** The help is to be opened. */
  help?: boolean
}

interface Given {
  running: boolean
  words: Words
}

/** undefined: no command, but words for the model. */
export function ordersOf(line: string, commands: readonly Command[], given: Given): Orders | undefined {
  const { host, orders } = screenHost(given)
  return obey(line, commands, host) ? orders : undefined
}

/** What the command of gopi itself asks for that has such a list: nothing given, the list; else what is chosen in it. */
export function ordersFor(purpose: Purpose, chosen: string, given: Given): Orders {
  const { host, orders } = screenHost(given)
  const command = BUILT_IN.find(({ argument }) => argument?.of === purpose)
  if (command) perform(command, chosen, host)
  return orders
}

/** What a command of gopi itself asks for that a key stands for. */
export function ordersBy(name: CommandName, given: Given): Orders {
  const { host, orders } = screenHost(given)
  const command = BUILT_IN.find(known => known.name === name)
  if (command) perform(command, '', host)
  return orders
}

/** The screen can do all that a command may need; what it is to do is collected. */
function screenHost({ running, words }: Given): { host: Required<Host>; orders: Orders } {
  const effects: Effect[] = []
  const orders: Orders = { effects }
  const hint = (sentence: string) => void (orders.hint = sentence)
  const host: Required<Host> = {
    ...{ running, words, say: hint, refuse: hint },
    help: () => void (orders.help = true),
    list: purpose => void effects.push({ type: 'list', purpose }),
    prompt: text => void effects.push({ type: running ? 'steer' : 'prompt', text }),
    later: text => void effects.push({ type: running ? 'follow_up' : 'prompt', text }),
    stop: () => void effects.push({ type: 'abort' }),
    compact: hint => void effects.push({ type: 'compact', hint }),
    mode: mode => void effects.push({ type: 'set_mode', mode }),
    think: level => void effects.push({ type: 'set_think', level }),
    end: wanted => void effects.push(wanted),
    copy: () => void effects.push({ type: 'copy' }),
    mouse: () => void effects.push({ type: 'switch_mouse' }),
    examine: () => void effects.push({ type: 'examine' }),
    work: job => void effects.push({ type: 'work', job }),
    theme: name => void effects.push({ type: 'use_theme', name }),
  }
  return { host, orders }
}
