/** One session of the editor's: it keeps its id while gopi's own session behind it changes, as with another model. */
import type {
  AgentContext,
  ClientCapabilities,
  ContentBlock,
  PromptResponse,
  SessionConfigOption,
  SessionModeState,
  StopReason,
} from '@agentclientprotocol/sdk'
import type { Command } from '../kit/commands/command.ts'
import type { SessionEvent } from '../protocol/events.ts'
import { whenDrained } from '../session/drained.ts'
import { messagesIn, storyOf } from '../session/story.ts'
import { explain } from '../words/explain.ts'
import { answer } from './answer.ts'
import { Asking } from './asking.ts'
import { type Chosen, configOptions, isThinking, modeState, modesOf } from './choices.ts'
import { type At, commandsUpdate } from './commands.ts'
import { editorFiles } from './files.ts'
import { FAILED, Refusal, WRONG_PARAMS } from './handlers.ts'
import type { Asked, House, Opened } from './house.ts'
import { type Bases, editorsPath } from './paths.ts'
import { replayed } from './replay.ts'
import { Telling } from './telling.ts'
import { runInTerminal } from './terminal.ts'
import { createUpdates, type Updates } from './updates.ts'

export interface ConversationOptions extends Bases {
  editor: AgentContext
  client: ClientCapabilities
  house: House
  given: Asked['given']
}

/** Milliseconds that the list of models is waited for; later it is sent after. */
const MODELS_WAIT = 500

export class Conversation {
  readonly #options: ConversationOptions
  #id = ''
  /** What `open` makes; nobody has the conversation before. */
  #opened!: Opened
  #asking!: Asking
  #updates!: Updates
  #commands: readonly Command[] = []
  #chosen: Chosen = { mode: 'ask', model: '', models: [], think: 'off', hasYolo: false }
  readonly #telling: Telling
  #detach: () => void = () => {}
  /** The question whether the folder is trusted, once it was asked. */
  #trusted: Promise<void> | undefined
  /** The session behind this one changes. */
  #changing: Promise<unknown> = Promise.resolve()
  /** Ends what a prompt has begun, and takes questions back. */
  #turn = new AbortController()
  /** Why not will be the next prompt. */
  #isSaying = false
  #closed = false

  constructor(options: ConversationOptions) {
    this.#options = options
    this.#telling = new Telling(options.editor, () => this.#id)
  }

  /** As the editor calls it. */
  get id(): string {
    return this.#id
  }

  /** Opens a new session, or goes on with one; the server reads ahead. */
  async open(resume?: string): Promise<void> {
    await this.#change(() => this.#open(resume === undefined ? {} : { resume }))
    this.#id = resume ?? this.#opened.session.id
    this.#readAhead()
    const known = this.#opened.models().then(models => this.#choose({ models }))
    await inTime(known, MODELS_WAIT)
  }

  get modes(): SessionModeState {
    return modeState(this.#chosen, this.#opened.words)
  }

  get configOptions(): SessionConfigOption[] {
    return configOptions(this.#chosen, this.#opened.words, this.#opened.own)
  }

  /** Tells what was said so far. */
  async replay(): Promise<void> {
    const { session, words } = this.#opened
    const { base } = this.#options
    const messages = messagesIn(storyOf(session))
    // How calls stand in a reply is known once the model is.
    if (messages.some(message => 'text_calls' in message)) await session.connect().catch(() => {})
    const readable = session.readable.bind(session)
    for (const update of replayed(messages, { words, base, readable })) this.#telling.now(update)
  }

  /** The editor knows the session: it hears what there is to say. */
  ready(): void {
    this.#telling.begin()
    this.#telling.send(commandsUpdate(this.#at))
    const { session, words } = this.#opened
    for (const unsent of session.takeUnsent()) this.#updates.say(words.notices.notSentLastTime(unsent))
    if (session.mode === 'yolo') this.#updates.say(words.notices.yolo, 'warning')
  }

  say(sentence: string): void {
    this.#updates.say(sentence, 'warning')
  }

  /** Resolves when the run that the words end up in is over. During a run they step into it. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const cancel = () => this.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const isSettled = await this.#settled()
      return { stopReason: isSettled && !signal.aborted ? await this.#answer(blocks) : 'cancelled' }
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  cancel(): void {
    this.#turn.abort('user')
    this.#turn = new AbortController()
    this.#opened.session.abort()
  }

  setMode(mode: string): void {
    const { words, own, session } = this.#opened
    const known = modesOf(this.#chosen).find(one => one === mode)
    if (known === undefined)
      throw new Refusal(WRONG_PARAMS, own.noChoice(mode, words.listed(modesOf(this.#chosen))))
    session.setMode(known)
  }

  async setOption(id: string, value: unknown): Promise<void> {
    const { own } = this.#opened
    if (id === 'mode') this.setMode(String(value))
    else if (id === 'model') await this.setModel(String(value))
    else if (id === 'think' && isThinking(value)) this.setThink(value)
    else throw new Refusal(WRONG_PARAMS, own.noOption(`${id}: ${value}`))
  }

  setThink(think: Chosen['think']): void {
    this.#opened.session.setThink(think)
    this.#choose({ think })
  }

  /** The conversation goes on with another model, in a session that goes on from this one. */
  async setModel(model: string): Promise<void> {
    const { own, session, words } = this.#opened
    const before = session.model ?? this.#chosen.model
    if (model === before) return
    if (session.isStreaming) throw new Refusal(FAILED, own.running)
    await this.#change(async () => {
      try {
        await this.#reopen({ model })
        await this.#opened.session.open()
        this.#opened.keepModel(model)
      } catch (error) {
        await this.#reopen({ model: before })
        throw new Refusal(WRONG_PARAMS, explain(words, error))
      }
    })
  }

  /** As another agent, likewise. */
  #setAgent(agent: string): Promise<void> {
    return this.#change(async () => {
      await this.#reopen({ agent })
      await this.#opened.session.open().catch(() => {}) // As in `#readAhead`.
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#telling.stop()
    this.#turn.abort('user')
    await this.#changing.catch(() => {})
    this.#detach()
    // It may never have come to be.
    await (this.#opened as Opened | undefined)?.end()
  }

  /** Asks about the folder anew: the conversation goes on as the answer wants it. */
  async askTrust(): Promise<boolean> {
    const { house, cwd } = this.#options
    const { words, place } = this.#opened
    const text = await house.trustText(cwd, words)
    if (text === undefined) return true
    const { signal } = this.#turn
    const trusted = await this.#asking.yesOrNo(words.questions.trust, text, signal)
    if (signal.aborted || this.#closed) return false
    // Nobody has answered: nothing of the folder is used, and nothing is remembered.
    if (trusted === undefined) return true
    await house
      .keepTrust(cwd, trusted)
      .catch(error => this.#updates.say(words.notices.trustNotKept(error.message), 'warning'))
    if (trusted !== place.trusted) await this.#change(() => this.#reopen({ trust: trusted }))
    this.#readAhead()
    return true
  }

  /** A first prompt waits for the answer whether the folder is trusted. → false: the person takes it all back. */
  async #settled(): Promise<boolean> {
    this.#trusted ??= (async () => {
      if (!this.#opened.asksTrust) return
      if (!(await this.askTrust())) this.#trusted = undefined
    })()
    const { signal } = this.#turn
    await this.#trusted
    await this.#changing.catch(() => {})
    return !signal.aborted && !this.#closed
  }

  #answer(blocks: readonly ContentBlock[]): Promise<StopReason> {
    const { cwd, base } = this.#options
    return answer(blocks, {
      ...{ at: this.#at, bases: { cwd, base }, buffers: this.#buffers },
      send: this.#telling.send,
      isSaying: () => {
        const isSaying = this.#isSaying
        this.#isSaying = false
        return isSaying
      },
    })
  }

  /** Where commands work. */
  get #at(): At {
    const { session, kit, place, words, own, examine, models } = this.#opened
    return {
      ...{ session, kit, place, words, own, examine, models },
      asking: this.#asking,
      updates: this.#updates,
      signal: this.#turn.signal,
      commands: this.#commands,
      setMode: mode => this.setMode(mode),
      setThink: think => this.setThink(think),
      setModel: model => this.setModel(model),
      setAgent: agent => this.#setAgent(agent),
      askTrust: async () => void (await this.askTrust()),
      elsewhere: this.#elsewhere(),
    }
  }

  #elsewhere(): At['elsewhere'] {
    const { editor, client, cwd: real, base } = this.#options
    if (!client.terminal) return undefined
    const telling = this.#telling
    return (command, cwd) =>
      runInTerminal(
        { command, cwd: editorsPath(cwd, { cwd: real, base }) ?? cwd },
        { editor, telling, sessionId: this.#id, signal: this.#turn.signal },
      )
  }

  get #buffers() {
    const { editor, client, cwd, base } = this.#options
    return editorFiles(editor, { fs: client.fs, sessionId: () => this.#id, bases: { cwd, base } })
  }

  /** One after the other. */
  #change(change: () => Promise<void>): Promise<void> {
    const changed = this.#changing.catch(() => {}).then(change)
    this.#changing = changed
    return changed
  }

  /** The same conversation in a session of its own; an empty one keeps its id. */
  async #reopen(changed: Pick<Asked, 'model' | 'agent' | 'trust'>): Promise<void> {
    const { session, isKept, end, place } = this.#opened
    // A journal says itself who the session is.
    const id = isKept()
      ? { resume: session.id, agent: undefined }
      : { id: session.id, agent: session.agent?.name }
    const { mode, think } = this.#chosen
    const model = session.model ?? this.#chosen.model
    this.#detach()
    await end()
    if (this.#closed) return
    await this.#open({ ...(model !== '' && { model }), trust: place.trusted, ...id, ...changed })
    const { session: now } = this.#opened
    if (now.mode !== mode) now.setMode(mode)
    if (this.#chosen.think !== think) this.setThink(think)
    this.#telling.send(commandsUpdate(this.#at))
    this.#choose({})
  }

  async #open(asked: Partial<Asked>): Promise<void> {
    const { house, cwd, base, given, editor, client } = this.#options
    const opened = await house.open({
      ...{ cwd, given, buffers: this.#buffers },
      approve: (approval, signal) => this.#asking.approve(approval, signal),
      goOn: (turns, signal) =>
        this.#asking.confirm(
          opened.words.questions.goOn(turns),
          opened.words.questions.goOnFor(opened.session.maxTurns),
          signal,
        ),
      ...asked,
    })
    const { session, kit, words, own, model, think, hasYolo } = opened
    this.#opened = opened
    this.#chosen = { ...this.#chosen, ...{ mode: session.mode, model, think, hasYolo } }
    this.#asking = new Asking(editor, {
      ...{ words, own, base, sessionId: () => this.#id, elicitation: client.elicitation },
      stop: () => {
        this.#isSaying = true
        session.abort()
      },
    })
    this.#updates = createUpdates(this.#telling.send, {
      ...{ words, base, room: () => session.setup?.limit },
      showsTerminals: client._meta?.terminal_output === true,
      takesNotices: client.session?.notices != null,
      takesCompaction: client.session?.compaction != null,
    })
    const { commands, clashes } = await kit.commands()
    this.#commands = commands
    const { held } = whenDrained(house.output)
    const deaf = session.subscribe(event => this.#heard(event), { held })
    this.#detach = () => {
      deaf()
      this.#updates.stop()
    }
    for (const clash of clashes) this.#updates.say(`gopi: ${words.say(clash)}`, 'warning')
  }

  #heard(event: SessionEvent): void {
    this.#updates.listen(event)
    if (event.type === 'mode_change') this.#choose({ mode: event.mode })
    else if (event.type === 'model_change') this.#choose({ model: event.model })
  }

  #readAhead(): void {
    this.#opened.session.open().catch(() => {}) // The prompt meets the same failure and tells it.
  }

  #choose(changed: Partial<Chosen>): void {
    this.#chosen = { ...this.#chosen, ...changed }
    this.#telling.send({ sessionUpdate: 'config_option_update', configOptions: this.configOptions })
  }
}

/** The work may take longer; how it fails is its own affair. */
async function inTime(work: Promise<unknown>, wait: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, wait)
  })
  await Promise.race([
    work.then(
      () => {},
      () => {},
    ),
    late,
  ])
  clearTimeout(timer)
}
