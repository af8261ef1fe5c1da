/** The row above the prompt: what happens now, for how long, how much of it, and how long it may still take. */
import type { Phase } from '../protocol/events.ts'
import { count } from '../text/truncate.ts'
import { cut, displayWidth } from '../text/width.ts'
import type { Words } from '../words/words.ts'
import type { Line } from './line.ts'
import type { Stage, Work } from './status.ts'

export interface StageLook {
  words: Words
  /** performance.now(), ms. */
  now: number
  /** The keys that stop, cut a thought, give a command more time, and send it to the background, as they are printed. */
  stopKey: string
  enoughKey: string
  moreTimeKey: string
  backgroundKey: string
  /** The server sends a call only whole: while it is written nothing comes. */
  callsComeWhole: boolean
  /** The call that has been running longest. */
  call?: { name: string; since: number; limitMs?: number } | undefined
}

const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
/** Milliseconds that a picture of the spinner stays; where text shows that something happens, a second is enough. */
const spinnerStep = 250
const slowStep = 1000
/** Milliseconds without a piece after which a reply that had begun is a call that is being written. */
const silence = 2000
/** The same where pieces come slowly: so many times as long as one took so far. */
const slowPieces = 8
/** An estimate is exceeded by more than this share and these milliseconds. */
const scatter = { share: 1.25, ms: 1000 }
/** Milliseconds of reading, and for each token, after which a reply may well be a call that is being written. */
const slowest = { ms: 3000, perToken: 20 }
/** The share of its time limit from which a command may be given more. */
const nearLimit = 0.8
/** Milliseconds of a command, or a thought, after which one may want to go on without it. */
const long = 5000
/** Milliseconds from which a rate says something. */
const worthARate = 2000

/** A part of the row; the highest `spare` is left out first. */
interface Part {
  text: string
  spare: number
}

/** Of a run that goes on. */
export const stageLine = (stage: Stage, width: number, look: StageLook): Line =>
  doingLine(doingOf(stage, look), width, look)

/** Of a command of gopi's own that takes a while. */
export const workLine = ({ what, since, phase, tokens }: Work, width: number, look: StageLook): Line =>
  doingLine(
    { what, since, parts: [...serverPart(phase, tokens, look), ...elapsedPart(since, look)] },
    width,
    look,
  )

/** Waiting is what its own words say; the rest is told. */
const TOLD: ReadonlySet<Phase> = new Set(['loading', 'reading', 'thinking', 'writing'])

function serverPart(phase: Phase | undefined, tokens: number | undefined, { words }: StageLook): Part[] {
  if (phase === undefined || !TOLD.has(phase)) return []
  return [{ text: phaseText(phase, tokens, words), spare: 2 }]
}

const phaseText = (name: Stage['name'], tokens: number | undefined, { footer }: Words): string =>
  name === 'reading' && tokens !== undefined ? footer.reading(tokens) : footer.phases[name]

function doingLine(doing: Doing, width: number, { words, now, stopKey }: StageLook): Line {
  const elapsed = Math.max(0, now - doing.since)
  const step = doing.flows ? slowStep : spinnerStep
  const sign = SPINNER[Math.floor(elapsed / step) % SPINNER.length] ?? ''
  const parts: Part[] = [
    ...doing.parts,
    ...(stopKey === '' ? [] : [{ text: words.footer.stop(stopKey), spare: 1 }]),
  ]
  const tail = fitted(parts, width - 2 - displayWidth(doing.what))
  return [
    { text: `${sign} `, style: 'accent' },
    { text: cut(doing.what, Math.max(0, width - 2)), style: 'plain' },
    { text: tail, style: 'muted' },
  ]
}

interface Doing {
  what: string
  since: number
  /** Text comes and shows by itself that something happens. */
  flows?: boolean
  parts: Part[]
}

function doingOf(stage: Stage, look: StageLook): Doing {
  const { words, now, callsComeWhole } = look
  const { footer } = words
  const { name, since, tokens } = stage
  const isReply = name === 'writing' || name === 'thinking'
  if (name === 'call' || (isReply && callsComeWhole && isSilent(stage, now))) {
    const from = stage.flowedAt ?? since
    const whole = callsComeWhole ? [{ text: footer.comesWhole, spare: 3 }] : []
    return { what: footer.phases.call, since: from, parts: [...elapsedPart(from, look), ...whole] }
  }
  if (isReply) {
    return {
      what: footer.phases[name],
      since,
      flows: true,
      parts: [
        ...elapsedPart(since, look),
        ...flow(stage, look),
        ...(name === 'thinking' ? untilEnough(since, look) : []),
      ],
    }
  }
  if (name === 'tool' && look.call) return running(look.call, look)
  const what = phaseText(name, tokens, words)
  return { what, since, parts: [...elapsedPart(since, look), ...outlook(stage, look)] }
}

const untilEnough = (since: number, { words, now, enoughKey }: StageLook): Part[] =>
  now - since >= long && enoughKey !== '' ? [{ text: words.footer.enough(enoughKey), spare: 2 }] : []

const isSilent = ({ since, flowedAt, pieces = 0 }: Stage, now: number): boolean => {
  if (flowedAt === undefined) return false
  const usual = pieces > 1 ? (flowedAt - since) / (pieces - 1) : 0
  return now - flowedAt > Math.max(silence, slowPieces * usual)
}

/** Tenths would be a new row many times a second, and say nothing. */
function elapsedPart(since: number, { words, now }: StageLook): Part[] {
  const elapsed = now - since
  return elapsed < 1000 ? [] : [{ text: words.time(wholeSeconds(elapsed)), spare: 0 }]
}

const wholeSeconds = (ms: number): number => 1000 * Math.floor(ms / 1000)

/** How fast it comes. */
function flow({ paced }: Stage, { words }: StageLook): Part[] {
  if (!paced || paced.pieces < 2 || paced.ms < worthARate) return []
  const rate = (1000 * (paced.pieces - 1)) / paced.ms
  return [{ text: `≈ ${words.footer.perSecond(rateText(rate))}`, spare: 4 }]
}

/** Below ten a tenth is something. */
export const rateText = (rate: number): string => (rate < 10 ? rate.toFixed(1) : count(Math.round(rate)))

/** What is still to be waited for, as far as this machine is known; past that, what it may be. */
function outlook({ name, since, etaMs, tokens = 0 }: Stage, look: StageLook): Part[] {
  const { words, now, callsComeWhole } = look
  const { footer } = words
  if (etaMs === undefined) {
    // Nothing is known of this machine yet; but nearly every one has read so much by then.
    const isLong = now - since > slowest.ms + slowest.perToken * tokens
    const mayBeCall = callsComeWhole && name === 'reading' && isLong
    return mayBeCall ? [{ text: footer.orCall, spare: 3 }] : []
  }
  const left = etaMs - (now - since)
  if (left > 0) return [{ text: footer.left(left), spare: 2 }]
  if (now - since < etaMs * scatter.share + scatter.ms) return []
  const text = callsComeWhole && name === 'reading' ? footer.longerOrCall : footer.longer
  return [{ text, spare: 3 }]
}

function running({ name, since, limitMs }: NonNullable<StageLook['call']>, look: StageLook): Doing {
  const { words, now, moreTimeKey, backgroundKey } = look
  const what = words.footer.runs(name)
  const elapsed = now - since
  const isLong = name === 'bash' && elapsed >= long && backgroundKey !== ''
  const toBackground = isLong ? [{ text: words.footer.toBackground(backgroundKey), spare: 2 }] : []
  // The person's own commands may take as long as they like.
  if (limitMs === undefined) return { what, since, parts: [...elapsedPart(since, look), ...toBackground] }
  const isNear = elapsed >= nearLimit * limitMs && moreTimeKey !== ''
  return {
    what,
    since,
    parts: [
      { text: words.ofLimit(wholeSeconds(Math.max(0, elapsed)), limitMs), spare: 0 },
      ...(isNear ? [{ text: words.footer.moreTime(moreTimeKey), spare: 1 }] : []),
      ...toBackground,
    ],
  }
}

/** As many of the parts as there is room for. */
function fitted(parts: readonly Part[], room: number): string {
  const text = parts.map(part => ` · ${part.text}`).join('')
  if (parts.length === 0 || displayWidth(text) <= room) return text
  const most = Math.max(...parts.map(({ spare }) => spare))
  return fitted(
    parts.filter(({ spare }) => spare < most),
    room,
  )
}
