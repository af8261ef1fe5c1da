/**
 * The process that counts tokens (cl100k). Its tables cost about 100 MB, so it is a program of its own: it gets lists of
 * texts, answers lists of counts, and ends after some time without work, or when nobody listens any more.
 * Argument: the milliseconds without work after which it ends.
 */
import { constants, setPriority } from 'node:os'
import { Tiktoken } from 'js-tiktoken/lite'
import cl100k from 'js-tiktoken/ranks/cl100k_base'

/** Milliseconds. */
const patience = Number(process.argv[2] ?? 10_000)
/** The merge of one word is quadratic in its length: longer runs of one kind of character are counted in pieces. */
const longRun = /\p{L}{64}|[^\s\p{L}\p{N}]{64}|\s{64}/gu

const tiktoken = new Tiktoken(cl100k)
const timer = setTimeout(leave, patience)

process.on('disconnect', leave)
process.on('message', texts => {
  if (!Array.isArray(texts)) return
  process.send?.(texts.map(text => countTokens(String(text))))
  timer.refresh()
})
yieldTheProcessor()

function countTokens(text: string): number {
  let tokens = 0
  let from = 0
  for (const run of text.matchAll(longRun)) {
    const to = run.index + run[0].length
    tokens += encode(text.slice(from, to))
    from = to
  }
  return tokens + encode(text.slice(from))
}

/** What looks like a special token is plain text here. */
function encode(text: string): number {
  return text === '' ? 0 : tiktoken.encode(text, [], []).length
}

/** The model server may be computing on the same processor, and it is what the person waits for. */
function yieldTheProcessor(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
}

function leave(): void {
  process.exit(0)
}
