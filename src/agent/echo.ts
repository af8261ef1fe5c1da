/**
 * A model that says the same again and again, in one reply or over several, in text or thought. What is counted are paragraphs and
 * lines outside of code blocks, long enough not to be alike by chance.
 */

/** Characters from which on a paragraph counts, and from which on it counts although other things were done in between. */
const minLength = 30
const longLength = 80
const noteAt = 3
const endAt = 5
/** Of the last paragraphs of a reply all but this many must have been said before, for it to go round in circles. */
const lookedBack = 8
const maxNew = 2

export interface Echo {
  verdict: 'note' | 'end'
  times: number
  /** What was said, or its beginning. */
  text: string
}

const maxShown = 80

export class EchoGuard {
  /** Over replies: each counts once a reply. */
  #replies = new Map<string, number>()
  #reply = new Map<string, number>()
  #known: boolean[] = []
  #line: Record<'text' | 'thinking', string> = { text: '', thinking: '' }
  #isFenced = false
  #worst: { text: string; times: number } | undefined

  /** Takes what a reply shows, in pieces. → whether it goes round in circles by now. */
  push(type: 'text' | 'thinking', piece: string): Echo | undefined {
    const lines = (this.#line[type] + piece).split('\n')
    this.#line[type] = lines.pop() ?? ''
    for (const line of lines) {
      const echo = this.#take(line)
      if (echo) return echo
    }
    return undefined
  }

  /** The reply is over. → what it said too often, alone or with those before it. */
  replied(): Echo | undefined {
    for (const line of Object.values(this.#line)) this.#take(line)
    let worst = this.#worst && this.#worst.times >= noteAt ? this.#worst : undefined
    for (const text of this.#reply.keys()) {
      const times = (this.#replies.get(text) ?? 0) + 1
      this.#replies.set(text, times)
      if (times >= noteAt && times > (worst?.times ?? 0)) worst = { text, times }
    }
    // In one reply alone, only circles end it.
    const over = worst ? (this.#replies.get(worst.text) ?? 0) : 0
    this.#reply.clear()
    this.#known = []
    this.#line = { text: '', thinking: '' }
    this.#isFenced = false
    this.#worst = undefined
    return worst && echoOf(over >= endAt ? 'end' : 'note', worst)
  }

  /** Something was done: what is short may well be said again. */
  progressed(): void {
    for (const text of this.#replies.keys()) if (text.length < longLength) this.#replies.delete(text)
  }

  #take(line: string): Echo | undefined {
    if (/^\s*(```|~~~)/.test(line)) {
      this.#isFenced = !this.#isFenced
      return undefined
    }
    const text = line.trim().replace(/\s+/g, ' ')
    if (this.#isFenced || lengthOf(text) < minLength || !/\p{L}{2}/u.test(text)) return undefined
    const times = (this.#reply.get(text) ?? 0) + 1
    this.#reply.set(text, times)
    this.#known.push(times > 1)
    if (times > (this.#worst?.times ?? 0)) this.#worst = { text, times }
    const last = this.#known.slice(-lookedBack)
    const isCircle = last.filter(known => !known).length <= maxNew
    return times >= endAt && isCircle ? echoOf('end', { text, times }) : undefined
  }
}

/** Scripts without blanks say as much in a third of the signs. */
const lengthOf = (text: string): number =>
  text.length + 2 * (text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0)

const echoOf = (verdict: Echo['verdict'], { text, times }: { text: string; times: number }): Echo => ({
  verdict,
  times,
  text: text.length > maxShown ? `${text.slice(0, maxShown)}…` : text,
})
