/** What an extension is handed: the same types that the library exports. */
import type { SessionEvent } from '../../protocol/events.ts'
import type { CustomTool } from '../../tools/custom.ts'

/** `export default (gopi => …) satisfies Extension`. It may be waited for; what it throws leaves it out. */
export type Extension = (gopi: Gopi) => void | Promise<void>

export interface Gopi {
  /** The session's directory, a real path. */
  readonly cwd: string
  tool(tool: CustomTool): void
  command(command: ExtensionCommand): void
  /** Hears of everything of this kind that happens in the main conversation. */
  on<Type extends SessionEvent['type']>(
    type: Type,
    listener: (event: Extract<SessionEvent, { type: Type }>) => void | Promise<void>,
  ): void
  /** Says something to the person. Before there is a session it waits. */
  note(sentence: string): void
}

export interface ExtensionCommand {
  /** Without the slash. */
  name: string
  description: string
  /** What stands for its argument in the help: `FILE`. */
  argument?: string
  /** What the model is told, of what was typed behind the name. */
  text: string | ((typed: string) => string | Promise<string>)
}
