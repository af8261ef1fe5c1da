/** The hooks of the configuration as a source: programs that are told of events, and may answer. */
import type { CallHook, RunHook, Wish } from '../../agent/hooks.ts'
import { RunError } from '../../protocol/errors.ts'
import type { PermissionMode } from '../../protocol/events.ts'
import type { ToolCall } from '../../protocol/messages.ts'
import type { Told } from '../../protocol/sayings.ts'
import type { Session } from '../../session/session.ts'
import { told } from '../../words/sayings/told.ts'
import type { Command } from '../commands/command.ts'
import { runProgram } from '../program.ts'
import type { Source, State } from '../source.ts'
import { commonArguments, commonName, namesOf, ownArguments } from '../tool-names.ts'
import { type Answer, answerOf } from './answer.ts'
import type { HookEntry, HookEvent } from './entries.ts'

export interface HookOptions {
  cwd: string
  env: NodeJS.ProcessEnv
}

type Sees = Pick<Session, 'id' | 'mode' | 'messages' | 'sessionFile' | 'subscribe' | 'notice'>

/** What is told of an event: which names a matcher is compared with, and the fields besides those of every event. */
interface Occasion {
  event: HookEvent
  names?: readonly string[]
  fields?: Record<string, unknown>
  signal?: AbortSignal | undefined
}

const STRICTNESS = ['allow', 'ask', 'deny'] as const

const MODES: Readonly<Record<PermissionMode, string>> = {
  plan: 'plan',
  ask: 'default',
  'auto-edit': 'acceptEdits',
  yolo: 'bypassPermissions',
}

export class Hooks {
  #entries: readonly HookEntry[]
  #options: HookOptions
  #session: Sees | undefined
  /** How often each ran, and how long it took the last time. */
  #ran = new Map<HookEntry, { times: number; ms: number }>()
  /** What was said before a call, for when its result is there. By the call's id. */
  #context = new Map<string, string>()
  #start: Promise<string | undefined> | undefined

  constructor(entries: readonly HookEntry[], options: HookOptions) {
    this.#entries = entries
    this.#options = options
  }

  source(refused: readonly Told[]): Source {
    const has = (...events: HookEvent[]) => this.#entries.some(({ event }) => events.includes(event))
    const call: CallHook = {
      name: 'hooks',
      ...(has('PreToolUse') && { before: (call, signal) => this.#before(call, signal) }),
      ...(has('PreToolUse', 'PostToolUse', 'PostToolUseFailure') && {
        after: (call, outcome, signal) => this.#after(call, outcome, signal),
      }),
    }
    const run: RunHook = {
      ...(has('UserPromptSubmit', 'SessionStart') && {
        submitted: (words, signal) => this.#submitted(words, signal),
      }),
      ...(has('PermissionRequest', 'Notification') && {
        asking: (call, about, signal) => this.#asking(call, about, signal),
      }),
      ...(has('Stop', 'SubagentStop') && {
        stopping: ({ thread, text, again }, signal) =>
          this.#reasonOf({
            event: thread === undefined ? 'Stop' : 'SubagentStop',
            fields: { stop_hook_active: again, last_assistant_message: text },
            signal,
          }),
      }),
      ...(has('PreCompact') && {
        compacting: ({ trigger, hint = '' }, signal) =>
          this.#reasonOf({
            ...{ event: 'PreCompact', names: [trigger], signal },
            fields: { trigger, custom_instructions: hint },
          }),
      }),
    }
    return {
      from: 'hooks',
      hooks: [call],
      steps: [run],
      refused,
      commands: async () => [this.#command()],
      states: () => this.#states(),
      begin: session => this.#begin(session),
    }
  }

  #begin(session: Sees): () => Promise<void> {
    this.#session = session
    const source = session.messages.length > 0 ? 'resume' : 'startup'
    this.#start = this.#ask({ event: 'SessionStart', names: [source], fields: { source } }).then(
      ({ context }) => context,
    )
    return async () => {
      await this.#ask({ event: 'SessionEnd', names: ['other'], fields: { reason: 'other' } })
    }
  }

  async #before(call: ToolCall, signal: AbortSignal): Promise<Wish | undefined> {
    const answer = await this.#ask({ event: 'PreToolUse', ...ofCall(call), signal })
    const { decision, reason, context } = answer
    if (context !== undefined) this.#context.set(call.id, context)
    return {
      ...(decision && { decision }),
      ...(reason !== undefined && { because: reason }),
      // Only what was changed: a call may have arguments that others do not know.
      ...(answer.arguments && {
        arguments: { ...call.arguments, ...ownArguments(call.name, answer.arguments) },
      }),
    }
  }

  async #after(
    call: ToolCall,
    { content, is_error }: { content: string; is_error: boolean },
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { names, fields } = ofCall(call)
    const said = this.#context.get(call.id)
    this.#context.delete(call.id)
    const { decision, reason, context } = await this.#ask({
      event: is_error ? 'PostToolUseFailure' : 'PostToolUse',
      names,
      fields: { ...fields, ...(is_error ? { error: content } : { tool_response: { content, is_error } }) },
      signal,
    })
    const all = [said, decision === 'deny' ? reason : undefined, context].filter(text => text !== undefined)
    return all.length === 0 ? undefined : all.join('\n')
  }

  async #submitted(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    const { decision, reason, context } = await this.#ask({
      event: 'UserPromptSubmit',
      fields: { prompt },
      signal,
    })
    if (decision === 'deny') throw new RunError(told('hook.prompt', { reason: reason ?? '' }))
    const start = await this.#start
    this.#start = undefined
    const all = [start, context].filter(text => text !== undefined)
    return all.length === 0 ? undefined : all.join('\n')
  }

  async #asking(
    call: ToolCall,
    { why, isHard }: { why: string; isHard: boolean },
    signal: AbortSignal,
  ): Promise<{ allow: boolean; because?: string } | undefined> {
    const type = 'permission_prompt'
    void this.#ask({
      event: 'Notification',
      names: [type],
      fields: { message: why, notification_type: type },
    })
    const { decision, reason } = await this.#ask({ event: 'PermissionRequest', ...ofCall(call), signal })
    if (decision === 'deny') return { allow: false, ...(reason !== undefined && { because: reason }) }
    return decision === 'allow' && !isHard ? { allow: true } : undefined
  }

  async #reasonOf(occasion: Occasion): Promise<string | undefined> {
    const { decision, reason } = await this.#ask(occasion)
    return decision === 'deny' ? reason : undefined
  }

  /** All that an event concerns, beside each other; the strictest answer holds, and all texts are kept. */
  async #ask({ event, names = [], fields, signal }: Occasion): Promise<Answer> {
    const wanted = this.#entries.filter(
      one => one.event === event && (!one.matcher || names.some(name => one.matcher?.test(name))),
    )
    if (wanted.length === 0) return {}
    const input = JSON.stringify({ ...this.#common(event), ...fields })
    const answers = await Promise.all(wanted.map(entry => this.#run(entry, input, signal)))
    const joined = (key: 'reason' | 'context') => {
      const texts = answers.flatMap(answer => answer[key] ?? [])
      return texts.length === 0 ? {} : { [key]: texts.join('\n') }
    }
    const decision = STRICTNESS.findLast(one => answers.some(answer => answer.decision === one))
    const changed = answers.findLast(answer => answer.arguments)?.arguments
    return {
      ...(decision && { decision }),
      ...joined('reason'),
      ...joined('context'),
      ...(changed && { arguments: changed }),
    }
  }

  async #run(entry: HookEntry, input: string, signal: AbortSignal | undefined): Promise<Answer> {
    const { event, command, timeout, required } = entry
    const { cwd, env } = this.#options
    const ended = await runProgram({
      argv: ['/bin/sh', '-c', command],
      env: { ...env, CLAUDE_PROJECT_DIR: cwd, GOPI_PROJECT_DIR: cwd },
      ...{ cwd, input, timeout, signal },
    })
    this.#ran.set(entry, { times: (this.#ran.get(entry)?.times ?? 0) + 1, ms: ended.ms })
    if (ended.how === 'aborted') return {}
    const answer = answerOf(ended, event)
    if (!('failed' in answer)) {
      if (answer.message !== undefined)
        this.#session?.notice(told('hook.says', { hook: nameOf(entry), message: answer.message }))
      return answer
    }
    const why = told('hook.failed', { hook: nameOf(entry), problem: answer.failed.slice(0, LONGEST) })
    this.#session?.notice(why)
    return required ? { decision: 'deny', reason: why.message } : {}
  }

  #common(event: HookEvent): Record<string, unknown> {
    const { id = '', sessionFile = '', mode = 'ask' } = this.#session ?? {}
    return {
      session_id: id,
      transcript_path: sessionFile,
      cwd: this.#options.cwd,
      permission_mode: MODES[mode],
      hook_event_name: event,
    }
  }

  #states(): State[] {
    return this.#entries.map(entry => {
      const { times, ms } = this.#ran.get(entry) ?? { times: 0 }
      return { name: nameOf(entry), state: `${times}×`, ...(ms !== undefined && { ms }) }
    })
  }

  #command(): Command {
    return {
      name: 'hooks',
      words: ({ kit }) => ({ does: kit.hooks }),
      needs: ['work'],
      run: host =>
        host.work(async ({ show, words }) => {
          const rows = this.#states().map(({ name, state, ms }) =>
            [name, state, ...(ms === undefined ? [] : [words.kit.milliseconds(ms)])].join(' · '),
          )
          show(rows.join('\n'))
        }),
    }
  }
}

/** Characters of a failure that are told. */
const LONGEST = 300

const nameOf = ({ event, matcher, command }: HookEntry): string => {
  const about = matcher ? ` ${matcher.source.slice('^(?:'.length, -')$'.length)}` : ''
  return `${event}${about}: ${command.length > 80 ? `${command.slice(0, 79)}…` : command}`
}

const ofCall = ({ id, name, arguments: args }: ToolCall) => ({
  names: namesOf(name),
  fields: { tool_name: commonName(name), tool_input: commonArguments(name, args), tool_use_id: id },
})
