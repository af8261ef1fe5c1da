/**
 * The text of a ReAct reply. `Thought:` is thinking, `Action:` with `Action Input:` a call, everything else the answer;
 * the labels themselves are never shown.
 *
 * Several actions in one reply are all taken, in order, until the reply invents an observation or, after an action, a
 * final answer: from there on the model only imagines, so the reply ends there. A reply that only thinks answers with
 * its thought.
 */
import type { EndReason, WireTool } from '../../protocol/wire.ts'
import type { ParsedCall, Unreadable } from '../dialect.ts'
import type { Found } from '../matching.ts'
import type { Show, TextReader } from '../reply.ts'
import { Rescue } from '../rescue/rescue.ts'
import { Trimmed } from '../trimmed.ts'
import { Action } from './action.ts'
import { type Label, matchLabel } from './labels.ts'

export class ReactReader implements TextReader {
  readonly #tools: readonly WireTool[]
  readonly #show: Show
  /** The answer's text goes through rescue: models fall back to the notation that they were trained on. */
  readonly #answer: Rescue
  readonly #calls: ParsedCall[] = []
  #rescued = 0
  #problem: Unreadable | undefined
  /** `nothing`: the rest of a line that says nothing. */
  #section: 'answer' | 'thought' | 'action' | 'nothing' = 'answer'
  #noAction = false
  /** After `Final Answer:` a label is a word of the answer. */
  #final = false
  #action: Action | undefined
  /** The text of the action, label included, in case it turns out to be prose. */
  #actionText = ''
  #answered = false
  #thought = ''
  readonly #thoughts = new Trimmed()
  /** The start of a line that may become a label. */
  #line = ''
  #atLineStart = true
  /** Asterisks that may still belong to the label just read; undefined once its section has begun. */
  #emphasis: number | undefined
  #done = false
  #surplus = 0

  constructor(tools: readonly WireTool[], show: Show) {
    this.#tools = tools
    this.#show = show
    this.#answer = new Rescue(tools, text => {
      this.#answered ||= text.trim() !== ''
      show('text', text)
    })
  }

  get calls(): readonly ParsedCall[] {
    return this.#calls
  }

  get problem(): Unreadable | undefined {
    return this.#problem ?? this.#answer.problem
  }

  get done(): boolean {
    return this.#done
  }

  get surplus(): number {
    return this.#surplus
  }

  feed(char: string): void {
    if (this.#done) this.#surplus++
    else if (this.#atLineStart) this.#feedLineStart(char)
    else this.#take(char)
  }

  #feedLineStart(char: string): void {
    this.#line += char
    const match = this.#final || this.#action?.inString ? undefined : matchLabel(this.#line)
    if (match === 'maybe') return
    const line = this.#line
    this.#line = ''
    this.#atLineStart = false
    if (match) this.#startSection(match.label, match.emphasis, line)
    else this.#takeAll(line)
  }

  finish(end: EndReason | 'cut'): void {
    if (this.#done) return
    this.#takeAll(this.#line)
    this.#endAction(end)
    if (this.#calls.length > this.#rescued) this.#answer.release()
    else this.#answer.finish(end)
    this.#collectRescued()
    const onlyThought = !this.#answered && this.#calls.length === 0 && !this.problem
    if (onlyThought && end === 'stop') this.#show('text', this.#thought)
  }

  release(): void {
    this.#takeAll(this.#line)
    this.#line = ''
    this.#answer.release()
  }

  #startSection(label: Label, emphasis: number, line: string): void {
    if (label === 'input' && this.#action) {
      this.#action.startInput()
      this.#actionText += line
      this.#emphasis = emphasis
      return
    }
    this.#endAction('label')
    const imagined = label === 'observation' || (label === 'answer' && this.#calls.length > 0)
    if (imagined || this.problem) this.#end(line.length)
    else this.#enter(label, emphasis, line)
  }

  #enter(label: Label, emphasis: number, line: string): void {
    this.#emphasis = emphasis
    if (label === 'input' && this.#noAction) {
      this.#section = 'nothing'
      return
    }
    if (label === 'answer' || label === 'thought') {
      this.#section = label
      this.#final = label === 'answer'
      return
    }
    this.#section = 'action'
    this.#action = new Action(this.#tools)
    this.#actionText = line
    if (label === 'input') this.#action.startInput()
  }

  #takeAll(text: string): void {
    for (let at = 0; at < text.length; at++) {
      if (this.#done) this.#surplus++
      else this.#take(text.charAt(at))
    }
  }

  #take(char: string): void {
    if (char === '\n') this.#atLineStart = true
    if (char === '\n' && this.#section === 'nothing') this.#section = 'answer'
    if (this.#action) this.#actionText += char
    if (this.#emphasis !== undefined) {
      if (char.trim() === '') return
      if (char === '*' && this.#emphasis-- > 0) return
      this.#emphasis = undefined
    }
    if (this.#section === 'answer') this.#takeAnswer(char)
    else if (this.#section === 'thought') this.#takeThought(char)
    else if (this.#action) this.#takeAction(this.#action, char)
  }

  #takeAnswer(char: string): void {
    this.#answer.feed(char)
    this.#collectRescued()
    if (this.#answer.done) this.#end(this.#answer.surplus)
  }

  #takeThought(char: string): void {
    const more = this.#thoughts.feed(char)
    this.#thought += more
    this.#show('thinking', more)
  }

  #takeAction(action: Action, char: string): void {
    action.feed(char)
    if (action.found) this.#settle(action.found)
    else if (char === '\n' && action.isNone) this.#answerInstead()
  }

  #endAction(end: EndReason | 'cut' | 'label'): void {
    const found = this.#action?.finish(end)
    if (found === 'prose') {
      this.#action = undefined
      this.#section = 'answer'
      for (const char of this.#actionText.split('')) this.#takeAnswer(char)
    } else if (found === 'none') this.#answerInstead()
    else if (found) this.#settle(found)
  }

  /** The model says that there is nothing to do: what follows is the answer, except for the input of nothing. */
  #answerInstead(): void {
    this.#action = undefined
    this.#section = 'answer'
    this.#noAction = true
  }

  /** The action is read; what follows it is ignored up to the next label. */
  #settle(found: Found): void {
    this.#action = undefined
    this.#calls.push(...found.calls)
    this.#problem ??= found.problem
  }

  #collectRescued(): void {
    this.#calls.push(...this.#answer.calls.slice(this.#rescued))
    this.#rescued = this.#answer.calls.length
  }

  #end(surplus: number): void {
    this.#done = true
    this.#surplus = surplus
  }
}
