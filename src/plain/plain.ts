/**
 * `gopi --plain`: a conversation line by line, for pipes, screen readers and dumb terminals. No full screen, no cursor
 * movement. On a terminal, words typed during a run step in; from a pipe, each line is a prompt, sent when the previous run
 * has ended.
 */
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

import type { Command, Place, Wanted } from '../kit/commands/command.ts'
import { whenDrained } from '../session/drained.ts'

import type { Approval, Approve, RunResult, Session, Verdict } from '../session/session.ts'
import { reveal } from '../text/sanitize.ts'
import { saidOf } from '../words/sayings/said.ts'
import type { Words } from '../words/words.ts'
import { showDiff, showEvents } from './events.ts'
import { type Paper, paper } from './paper.ts'
import { type Choices, Talk } from './talk.ts'
import { tellWaits } from './waits.ts'

export interface PlainOptions {
  input: Readable & { isTTY?: boolean }
  output: Writable & { isTTY?: boolean }
  /** Calls back at Ctrl+C; → how to stop listening. */
  onInterrupt(handler: () => void): () => void
  colour: boolean
  words: Words
  /** Says what goes on while nothing comes. Default: nobody does. */
  tellWait?(line: string): void
}

export interface TalkOptions {
  /** A prompt to begin with. */
  first?: string
  /** Say after each run how full the context is. */
  showTokens: boolean
  commands: readonly Command[]
  place: Place
  /** Default: nothing. */
  choices?: Choices
  /** What doctor finds. Default: nothing. */
  examine?: () => Promise<string>
  /** Copies a text to where this terminal's cannot be reached by a sequence. Default: the sequence is all. */
  copyBesides?: (text: string) => void
}

export interface Talked {
  /** The last run's result. */
  last: RunResult | undefined
  wanted: Wanted
}

export class PlainFace {
  #options: PlainOptions
  #paper: Paper
  #words: Words
  #lines: Interface | undefined
  #approved = new Set<string>()
  /** The question that the next line answers. */
  #question: ((line: string) => void) | undefined
  #talk: Talk | undefined
  /** Lines that came while there was no conversation. */
  #early: string[] = []
  #ended = false

  constructor(options: PlainOptions) {
    this.#options = options
    this.#paper = paper(options.output, { colour: options.colour })
    this.#words = options.words
  }

  /** Changes the words from now on: the configuration names another language. */
  speak(words: Words): void {
    this.#words = words
  }

  /** Whether somebody is there to be asked. */
  get interactive(): boolean {
    return this.#options.input.isTTY === true && this.#options.output.isTTY === true
  }

  /**
   * Shows what a call would do, hiding nothing of it, and asks: once, for the session, always, or not. undefined where
   * nobody can be asked.
   */
  get approve(): Approve {
    return this.interactive ? (approval, signal) => this.#approve(approval, signal) : undefined
  }

  /** The turn limit: go on? Without a person, no. */
  async goOn(turns: number, signal: AbortSignal): Promise<boolean> {
    return this.interactive && this.confirm(this.#words.plain.goOn(turns), signal)
  }

  async confirm(question: string, signal?: AbortSignal): Promise<boolean> {
    return isYes(await this.#ask(question, signal))
  }

  /** Lists the choices and asks for the number of one. → its index, the first one's for an empty line. */
  async choose(question: string, choices: readonly string[]): Promise<number> {
    for (const [index, choice] of choices.entries())
      this.#paper.line(`${String(index + 1).padStart(3)}  ${choice}`)
    for (;;) {
      const answer = (await this.#ask(question)).trim() || '1'
      if (choices[Number(answer) - 1] !== undefined) return Number(answer) - 1
      this.#paper.line(this.#words.plain.expectedNumber(choices.length))
    }
  }

  say(text: string): void {
    this.#paper.line(text)
  }

  /** Talks until the input ends or the person leaves, or wants another session. */
  async talk(session: Session, options: TalkOptions): Promise<Talked> {
    const { first, choices = async () => '', examine = async () => '', copyBesides = () => {} } = options
    const { showTokens, commands, place } = options
    const { input, output, onInterrupt, tellWait } = this.#options
    const waits = tellWait && tellWaits(tellWait, this.#words)
    const deaf = waits && session.subscribe(waits.listen)
    const unsubscribe = session.subscribe(
      showEvents(this.#paper, { approved: this.#approved, words: this.#words }),
      whenDrained(output),
    )
    for (const unsent of session.takeUnsent()) this.say(this.#words.notices.notSentLastTime(unsent))
    const talk = new Talk(session, this.#paper, {
      tellWait,
      typed: input.isTTY === true,
      ...{ showTokens, words: this.#words, commands, choices, place, examine },
      confirm: question => this.confirm(question),
      choose: (question, lines) => this.choose(question, lines),
      ...(this.interactive && {
        copy: (text, sequence) => {
          copyBesides(text)
          output.write(sequence)
        },
      }),
    })
    const stopListening = onInterrupt(() => talk.interrupt())
    this.#talk = talk
    const early = first === undefined ? this.#early.splice(0) : [first, ...this.#early.splice(0)]
    if (early.length === 0) talk.idle()
    for (const line of early) talk.line(line)
    if (this.#ended) talk.inputEnded()
    this.#listen()
    const wanted = await talk.left
    this.#talk = undefined
    this.#early.unshift(...talk.takeWaiting())
    stopListening()
    if (wanted.type === 'leave') this.#lines?.close()
    this.#paper.endStream()
    unsubscribe()
    waits?.stop()
    deaf?.()
    return { last: talk.last, wanted }
  }

  /** Reads lines from now on: each answers the open question, or belongs to the talk. */
  #listen(): void {
    if (this.#lines) return
    this.#lines = createInterface({
      input: this.#options.input,
      terminal: false,
      crlfDelay: Number.POSITIVE_INFINITY,
    })
    this.#lines.on('line', line => {
      this.#paper.entered()
      const answer = this.#question
      this.#question = undefined
      if (answer) answer(line)
      else if (this.#talk) this.#talk.line(line)
      else this.#early.push(line)
    })
    this.#lines.on('close', () => {
      this.#ended = true
      this.#question?.('')
      this.#talk?.inputEnded()
    })
  }

  async #approve(approval: Approval, signal: AbortSignal): Promise<Verdict> {
    const { call, rules, preview } = approval
    const words = this.#words.plain
    const shown = await preview()
    const why = this.#words.say(saidOf(approval))
    this.#paper.line(words.wantsToRun(call.name, reveal(why)), 'bold')
    if (shown.type === 'command') this.#paper.line(indent(reveal(shown.command)))
    else if (shown.type === 'text') this.#paper.line(indent(reveal(shown.text)))
    else {
      this.#paper.line(`  ${reveal(shown.path)} +${shown.added} −${shown.removed}`)
      showDiff(this.#paper, shown)
      this.#approved.add(call.id)
    }
    if (rules.session.length > 0)
      this.#paper.line(`  ${words.forSession(reveal(this.#words.listed(rules.session)))}`)
    if (rules.always.length > 0)
      this.#paper.line(`  ${words.forAlways(reveal(this.#words.listed(rules.always)))}`)
    const letters = [
      'y',
      ...(rules.session.length > 0 ? ['a'] : []),
      ...(rules.always.length > 0 ? ['s'] : []),
    ]
    return readVerdict(await this.#ask(words.runIt(this.#words.listed(letters)), signal), approval)
  }

  /** The next line typed; empty when the input ends or the signal fires. */
  #ask(question: string, signal?: AbortSignal): Promise<string> {
    if (signal?.aborted || this.#ended) return Promise.resolve('')
    return new Promise(resolve => {
      const cancel = () => {
        this.#question = undefined
        this.#paper.line('')
        resolve('')
      }
      this.#question = line => {
        signal?.removeEventListener('abort', cancel)
        resolve(line)
      }
      signal?.addEventListener('abort', cancel, { once: true })
      this.#paper.ask(question)
      this.#listen()
    })
  }
}

/** What a line says about a call. Anything longer than a letter or a yes tells the model why not. */
function readVerdict(line: string, { rules }: Pick<Approval, 'rules'>): Verdict {
  const answer = line.trim()
  if (isYes(answer)) return { allow: true }
  if (/^a$/i.test(answer) && rules.session.length > 0) return { allow: true, remember: 'session' }
  if (/^s$/i.test(answer) && rules.always.length > 0) return { allow: true, remember: 'always' }
  const because = answer.replace(/^e(\s+|$)/i, '')
  return /^(n|no|否|不|a|s)?$/i.test(because) ? { allow: false } : { allow: false, because }
}

const isYes = (answer: string): boolean => /^(y|yes|是|好)$/i.test(answer.trim())

const indent = (text: string): string => text.replace(/^/gm, '  ')
