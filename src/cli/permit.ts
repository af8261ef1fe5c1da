/**
 * The permission door of a session: hands the engine its facts, and remembers which files the session wrote and what the
 * person allowed.
 */
import { homedir } from 'node:os'
import type { Config } from '../config/config.ts'
import type { Decision, PermissionRules, Question, Subject } from '../permission/permission.ts'
import { UsageError } from '../protocol/errors.ts'
import type { SessionEvent } from '../protocol/events.ts'
import type { ToolCall } from '../protocol/messages.ts'
import type { Session } from '../session/session.ts'
import type { Shell } from '../shell/shell.ts'
import type { FileLedger } from '../tools/ledger.ts'
import type { Tool } from '../tools/tool.ts'

export interface PermitOptions {
  /** gopi's home. */
  home: string
  /** The session's directory, a real path. */
  cwd: string
  env: NodeJS.ProcessEnv
  shell: Pick<Shell, 'cwd'>
  session: Pick<Session, 'mode' | 'notice'>
  rules: Pick<Config['permission'], 'allow' | 'ask' | 'deny'>
  files: Pick<FileLedger, 'wrote'>
  /** Where “always” is written: the person's config file. */
  configFile: string
}

/** Nobody needs it before the first call; asked for anew at every call it would cost more than it decides. */
async function loadEngine() {
  const [{ decide }, { gather, readRules }, { realTarget }, { questionAbout }, { secret }] =
    await Promise.all([
      import('../permission/decide.ts'),
      import('../permission/gather.ts'),
      import('../permission/look.ts'),
      import('../permission/suggest.ts'),
      import('../permission/paths.ts'),
    ])
  return { decide, gather, readRules, realTarget, questionAbout, secret }
}

export function permissionFor(options: PermitOptions) {
  const { home, cwd, env, shell, session, files, rules, configFile } = options
  /** What calls that are under way will have written, by the call's id; then what was written. */
  const writing = new Map<string, readonly string[]>()
  const own = new Set<string>()
  let engine: ReturnType<typeof loadEngine> | undefined
  let read: PermissionRules | undefined
  /** Rules that the person set in this session, as they stand in config.yaml. */
  const remembered: string[] = []

  return {
    async decide({ id, name, arguments: args }: ToolCall, { kind }: Tool): Promise<Decision> {
      engine ??= loadEngine()
      const { decide, gather, readRules, realTarget, questionAbout, secret } = await engine
      read ??= readRules({ ...rules, allow: [...rules.allow, ...remembered] })
      const call = { tool: name, kind, arguments: args }
      const facts = await gather(call, {
        mode: session.mode,
        cwd,
        shellCwd: shell.cwd,
        home: realTarget(env.HOME ?? homedir()),
        gopiHome: realTarget(home),
        rules: read,
        isOwn: file => own.has(file) || files.wrote(file),
      })
      const { subject } = facts
      if (subject.type === 'command') writing.set(id, subject.judged.writes)
      else if (subject.type === 'file' && kind === 'edit') writing.set(id, [subject.target])
      const decision = decide(call, facts)
      return {
        ...decision,
        ...(decision.decision === 'ask' && { question: questionAbout(call, facts) }),
        ...(subject.type === 'file' && { target: { real: subject.target, id: subject.id } }),
        ...(readsOf(subject).some(file => secret(file) !== undefined) && { secrets: true as const }),
      }
    },

    /** They hold at once; “always” also writes them to the person's config file, and says so when that fails. */
    async remember(texts: readonly string[], how: keyof Question['rules']): Promise<void> {
      remembered.push(...texts)
      read = undefined
      if (how !== 'always') return
      const { addRules } = await import('../config/add-rules.ts')
      try {
        addRules(configFile, texts)
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        session.notice('config', `${error.message} The rule holds for this session.`)
      }
    },

    listen(event: SessionEvent): void {
      if (event.type !== 'tool_call_end') return
      if (!event.is_error) for (const file of writing.get(event.tool_call_id) ?? []) own.add(file)
      writing.delete(event.tool_call_id)
    },
  }
}

/** Real paths that a call is known to read. */
const readsOf = (subject: Subject): readonly string[] =>
  subject.type === 'file' ? [subject.target] : subject.type === 'command' ? subject.judged.reads : []
