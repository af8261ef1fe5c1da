/** The permission door of a session: hands the engine its facts, and remembers which files the session wrote. */
import { homedir } from 'node:os'
import type { Config } from '../config/config.ts'
import type { Decision, PermissionRules } from '../permission/permission.ts'
import type { SessionEvent } from '../protocol/events.ts'
import type { ToolCall } from '../protocol/messages.ts'
import type { Session } from '../session/session.ts'
import type { Shell } from '../shell/shell.ts'
import type { Tool } from '../tools/tool.ts'

export interface PermitOptions {
  /** gopi's home. */
  home: string
  /** The session's directory, a real path. */
  cwd: string
  env: NodeJS.ProcessEnv
  shell: Pick<Shell, 'cwd'>
  session: Pick<Session, 'mode'>
  rules: Pick<Config['permission'], 'allow' | 'ask' | 'deny'>
}

export function permissionFor({ home, cwd, env, shell, session, rules }: PermitOptions) {
  /** What calls that are under way will have written, by the call's id; then what was written. */
  const writing = new Map<string, readonly string[]>()
  const own = new Set<string>()
  let read: PermissionRules | undefined

  return {
    async decide({ id, name, arguments: args }: ToolCall, { kind }: Tool): Promise<Decision> {
      // Nobody needs the engine before the first call.
      const [{ decide }, { gather, readRules }, { realTarget }] = await Promise.all([
        import('../permission/decide.ts'),
        import('../permission/gather.ts'),
        import('../permission/look.ts'),
      ])
      read ??= readRules(rules)
      const call = { tool: name, kind, arguments: args }
      const facts = await gather(call, {
        mode: session.mode,
        cwd,
        shellCwd: shell.cwd,
        home: realTarget(env.HOME ?? homedir()),
        gopiHome: realTarget(home),
        rules: read,
        isOwn: file => own.has(file),
      })
      const { subject } = facts
      if (subject.type === 'command') writing.set(id, subject.judged.writes)
      else if (subject.type === 'file' && kind === 'edit') writing.set(id, [subject.target])
      return decide(call, facts)
    },

    listen(event: SessionEvent): void {
      if (event.type !== 'tool_call_end') return
      if (!event.is_error) for (const file of writing.get(event.tool_call_id) ?? []) own.add(file)
      writing.delete(event.tool_call_id)
    },
  }
}
