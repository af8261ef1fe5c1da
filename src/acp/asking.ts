/** Questions to the person, asked by the editor: whether a call may run, yes or no, which of some. */
import path from 'node:path'
import type {
  AgentContext,
  ElicitationCapabilities,
  PermissionOption,
  PermissionOptionKind,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import type { Choice } from '../kit/commands/command.ts'
import type { Approval, Approve, Verdict } from '../session/session.ts'
import { reveal } from '../text/sanitize.ts'
import type { ACP_EN } from '../words/acp-en.ts'
import { saidOf } from '../words/sayings/said.ts'
import type { Words } from '../words/words.ts'
import { firstLine, kindOf, locationsOf, previewContent, textContent, titleOf } from './calls.ts'

export interface AskingOptions {
  words: Words
  own: typeof ACP_EN
  /** The session's directory, as the editor calls it. */
  base: string
  /** As the editor calls it. */
  sessionId(): string
  /** Whether the editor can ask for words. */
  elicitation: ElicitationCapabilities | null | undefined
  /** The person wants to say why not, and the editor cannot ask for it: the run ends, and they say it. */
  stop(): void
}

export class Asking {
  #editor: AgentContext
  #options: AskingOptions
  #asked = 0

  constructor(editor: AgentContext, options: AskingOptions) {
    this.#editor = editor
    this.#options = options
  }

  approve: NonNullable<Approve> = async (approval, signal) => {
    const { call, rules, touches, parts = [] } = approval
    const { words, own, base } = this.#options
    // What cannot succeed is not asked about: the model hears why.
    const preview = await approval.preview()
    const line = preview.type === 'diff' ? firstLine(preview.diff) : undefined
    const named = locationsOf(call.arguments, base)
    const places =
      named.length > 0
        ? named
        : touches.filter(place => path.isAbsolute(place)).map(place => ({ path: place }))
    const why = [
      words.say(saidOf(approval)),
      ...parts.flatMap(({ text, why }) => (why ? [`- ${text}: ${words.say(why)}`] : [])),
    ].join('\n')
    const answer = await this.#ask(
      {
        ...{ toolCallId: call.id, title: titleOf(call.name, call.arguments, words.tool), status: 'pending' },
        ...{ kind: kindOf(call.name), rawInput: call.arguments },
        // Editors look for a change in the first place.
        content: [...previewContent(preview, base), textContent(reveal(why))],
        locations: places.map(place => ({ ...place, ...(line !== undefined && { line }) })),
      },
      [
        option('once', own.once, 'allow_once'),
        ...(rules.always.length > 0
          ? [option('always', own.always(reveal(rules.always.join(', '))), 'allow_always')]
          : []),
        // The narrower one last: it is what editors mean that know an answer by its kind alone.
        ...(rules.session.length > 0
          ? [option('session', own.session(reveal(rules.session.join(', '))), 'allow_always')]
          : []),
        option('no', own.no, 'reject_once'),
        // For the same editors it is none of the kind of the plain no.
        ...(approval.own ? [] : [option('why', own.noAndWhy, 'reject_always')]),
      ],
      signal,
    )
    return this.#verdict(answer, approval, signal)
  }

  async confirm(title: string, text: string, signal?: AbortSignal): Promise<boolean> {
    return (await this.yesOrNo(title, text, signal)) === true
  }

  /** undefined: no answer. */
  async yesOrNo(title: string, text: string, signal?: AbortSignal): Promise<boolean | undefined> {
    const { yes, no } = this.#options.words.questions
    const answer = await this.#ask(
      this.#question(title, text),
      [option('yes', yes, 'allow_once'), option('no', no, 'reject_once')],
      signal,
    )
    return answer === undefined ? undefined : answer === 'yes'
  }

  /** → the id of one; undefined: none. */
  async choose(title: string, choices: readonly Choice[], signal?: AbortSignal): Promise<string | undefined> {
    const { none } = this.#options.own
    const answer = await this.#ask(
      this.#question(title, ''),
      [
        ...choices.map(({ label, detail }, at) =>
          option(`choice-${at}`, detail ? `${label}  ${detail}` : label, 'allow_once'),
        ),
        option('none', none, 'reject_once'),
      ],
      signal,
    )
    return choices[Number(/^choice-(\d+)$/.exec(answer ?? '')?.[1] ?? -1)]?.id
  }

  #question(title: string, text: string): ToolCallUpdate {
    return {
      ...{ toolCallId: `question-${++this.#asked}`, title, kind: 'other', status: 'pending' },
      content: text.trim() === '' ? [] : [textContent(text)],
    }
  }

  async #verdict(answer: string | undefined, { rules }: Approval, signal: AbortSignal): Promise<Verdict> {
    if (answer === 'once') return { allow: true }
    if (answer === 'session' && rules.session.length > 0) return { allow: true, remember: 'session' }
    if (answer === 'always' && rules.always.length > 0) return { allow: true, remember: 'always' }
    if (answer !== 'why') return { allow: false, rest: answer === undefined }
    if (!this.#options.elicitation?.form) {
      // The editor's own prompt is where it can be said.
      this.#options.stop()
      return { allow: false, rest: true }
    }
    const because = await this.#why(signal)
    return because === undefined ? { allow: false } : { allow: false, because }
  }

  async #why(signal: AbortSignal): Promise<string | undefined> {
    const { own, sessionId } = this.#options
    const asked = this.#editor.request(
      'elicitation/create',
      {
        ...{ mode: 'form', sessionId: sessionId(), message: own.whyNot },
        requestedSchema: {
          ...{ type: 'object', required: ['because'] },
          properties: { because: { type: 'string', title: own.whyNot } },
        },
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    )
    const answer = await asked.catch(() => undefined)
    const because =
      answer?.action === 'accept' && 'content' in answer
        ? (answer.content as Record<string, unknown> | null | undefined)?.because
        : undefined
    return typeof because === 'string' && because.trim() !== '' ? because.trim() : undefined
  }

  /** → the id of an option; undefined: it was taken back, or nobody can be asked any more. */
  async #ask(
    toolCall: ToolCallUpdate,
    options: PermissionOption[],
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const sessionId = this.#options.sessionId()
    const asked = this.#editor.request(
      'session/request_permission',
      { sessionId, toolCall, options },
      { ...(signal && { cancellationSignal: signal }), stopWaitingOnCancel: true },
    )
    const answer = await asked.catch(() => undefined)
    if (answer?.outcome.outcome !== 'selected') return undefined
    const { optionId } = answer.outcome
    return options.some(one => one.optionId === optionId) ? optionId : undefined
  }
}

const option = (optionId: string, name: string, kind: PermissionOptionKind): PermissionOption => ({
  optionId,
  name,
  kind,
})
