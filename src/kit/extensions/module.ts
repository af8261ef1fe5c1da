/** An extension that is an ES module. */
import { pathToFileURL } from 'node:url'
import { constants, Script } from 'node:vm'
import type { SessionEvent } from '../../protocol/events.ts'
import { messageOf } from '../../text/message-of.ts'
import { customTool } from '../../tools/custom.ts'
import type { Tool } from '../../tools/tool.ts'
import { told } from '../../words/sayings/told.ts'
import type { Command } from '../commands/command.ts'
import { promptCommand } from '../commands/prompt-command.ts'
import type { Source } from '../source.ts'
import type { Extension, ExtensionCommand, Gopi } from './api.ts'

type Listener = (event: SessionEvent) => void | Promise<void>

/** Node's own import: the built program is CommonJS, where `import` has become `require`, which knows no ES modules. */
const importModule = (url: string): Promise<{ default?: unknown }> =>
  new Script('url => import(url)', {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext()(url)

/** Rejects with why it cannot be used. */
export async function moduleSource(
  file: string,
  { name, cwd }: { name: string; cwd: string },
): Promise<Source> {
  const loaded = await importModule(pathToFileURL(file).href)
  // A CommonJS module that was compiled from an ES module has its default within another.
  const own = loaded.default
  const extension = typeof own === 'function' ? own : (own as { default?: unknown } | undefined)?.default
  if (typeof extension !== 'function') throw new Error('it has no function as its default export')
  const tools: Tool[] = []
  const commands: Command[] = []
  const listeners: [type: string, listener: Listener][] = []
  const notes: string[] = []
  let say = (text: string): void => void notes.push(text)
  const gopi: Gopi = {
    cwd,
    tool: tool => void tools.push(customTool(tool)),
    command: command => void commands.push(commandOf(command)),
    on: (type, listener) => void listeners.push([type, listener as Listener]),
    note: sentence => say(String(sentence)),
  }
  await (extension as Extension)(gopi)
  return {
    from: name,
    tools,
    commands: async () => commands,
    begin(session) {
      say = text => session.notice(told('extension_says.note', { extension: name, text }))
      for (const text of notes.splice(0)) say(text)
      const failed = (error: unknown) =>
        session.notice(told('extension_says.failed', { extension: name, problem: messageOf(error) }))
      const busy = new Set<Promise<void>>()
      session.subscribe(event => {
        for (const [type, listener] of listeners) {
          if (type !== event.type) continue
          const work = (async () => listener(event))().catch(failed)
          busy.add(work)
          void work.finally(() => busy.delete(work))
        }
      })
      // What it began is waited for, as long as a person would.
      return async () => {
        const late = new Promise<void>(resolve => setTimeout(resolve, PATIENCE).unref())
        await Promise.race([Promise.all(busy), late])
      }
    },
  }
}

/** Milliseconds that what an extension began has to end when its session does. */
const PATIENCE = 5_000

function commandOf({ name, description, argument, text }: ExtensionCommand): Command {
  if (typeof text === 'string') return promptCommand({ name, description, argument, text })
  const command = promptCommand({ name, description, argument, text: '' })
  return { ...command, expand: async typed => ({ text: await text(typed) }) }
}
