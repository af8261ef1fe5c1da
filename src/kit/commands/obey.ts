/** From a line that begins with `/` to what its command does. */
import { nearest } from '../../text/nearest.ts'
import type { Words } from '../../words/words.ts'
import type { Command, Host } from './command.ts'

export const commandNamed = (commands: readonly Command[], name: string): Command | undefined =>
  commands.find(known => known.name === name || known.aliases?.includes(name))

/** Those that the face can do. */
export const offered = (commands: readonly Command[], host: Host): Command[] =>
  commands.filter(({ needs }) => needs.every(ability => host[ability] !== undefined))

/** The command that a line names, and the words behind it. A path such as /etc/hosts is none. */
export function commandIn(
  line: string,
  commands: readonly Command[],
): { command: Command; argument: string } | undefined {
  const { name = '', argument } = read(line)
  const command = commandNamed(commands, name)
  return command && { command, argument }
}

/** Does what a line asks for, or says what is wrong with it. → false: it is no command, but words for the model. */
export function obey(line: string, commands: readonly Command[], host: Host): boolean {
  const known = offered(commands, host)
  // As every shell knows it.
  const found = commandIn(line.trim() === 'exit' ? '/exit' : line, known)
  if (found) perform(found.command, found.argument, host)
  if (found) return true
  const { name = '' } = read(line)
  const isElsewhere = commandNamed(commands, name) !== undefined
  const problem = isElsewhere ? host.words.notices.onScreenOnly(`/${name}`) : noCommand(line, known, host)
  if (problem === undefined) return false
  host.refuse(problem)
  return true
}

/** What is wrong with a line that looks like a command and names none; undefined: nothing, it is words for the model. */
export function noCommand(
  line: string,
  commands: readonly Command[],
  { words }: Pick<Host, 'words'>,
): string | undefined {
  const { name = '', argument } = read(line)
  if (argument !== '' || !/^[a-z:-]+$/.test(name) || commandNamed(commands, name)) return undefined
  const near = nearest(
    name,
    commands.map(command => command.name),
  )
  return words.notices.noSuchCommand(`/${name}`, near && `/${near}`)
}

/** Does the command, or says why not now. The host must be able to do what it needs. */
export function perform(command: Command, argument: string, host: Host): void {
  const { notices } = host.words
  const { name, rests, argument: { isRequired } = {} } = command
  if (rests && host.running) host.refuse(notices.notWhileRunning(`/${name}`))
  else if (isRequired && argument === '') {
    const { expects, argument: label = '' } = command.words(host.words)
    host.refuse(notices.expects(`/${name}`, expects ?? label))
  } else command.run(host as Parameters<Command['run']>[0], argument)
}

/** What comes after the name: `TEXT`, or `[NAME]` where nothing has to. undefined: nothing does. */
export function argumentOf(command: Command, words: Words): string | undefined {
  const { argument } = command.words(words)
  // Others write what they want to be read there.
  const isOwn = command.expand !== undefined
  return argument === undefined || isOwn || command.argument?.isRequired ? argument : `[${argument}]`
}

/** A line of the help: `/model [NAME]`, and what it does. */
export function helpRow(command: Command, words: Words): { key: string; does: string } {
  const { does } = command.words(words)
  const argument = argumentOf(command, words)
  return { key: argument === undefined ? `/${command.name}` : `/${command.name} ${argument}`, does }
}

/** The help of a face without columns. */
export const helpText = (commands: readonly Command[], words: Words): string =>
  commands
    .map(command => helpRow(command, words))
    .map(({ key, does }) => `${key}  ${does}`)
    .join('\n')

function read(line: string): { name?: string; argument: string } {
  const [, name, argument = ''] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? []
  return { ...(name !== undefined && { name }), argument }
}
