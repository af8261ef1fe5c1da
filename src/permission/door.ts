/**
 * The one way to leave for a call: for calls after a reply, those that run ahead of its end, files named with `@`, and
 * `gopi permission check`. Keeps what a session's decisions depend on: the rules that the person set on the way, and the
 * files that it wrote itself.
 */
import type { Access } from '../protocol/access.ts'
import type { PermissionMode, SessionEvent } from '../protocol/events.ts'
import type { PermissionRules } from '../rules/rule.ts'
import { told } from '../words/sayings/told.ts'
import type { Decision, PermissionCall, PermissionFacts, Question, Subject } from './permission.ts'
import { wariness } from './wary.ts'
import type { Wall } from './where.ts'

export interface DoorOptions {
  /** The session's directory, a real path. */
  cwd: string
  /** The person's home. */
  home: string
  gopiHome: string
  mode(): PermissionMode
  /** Where the shell is. */
  shellCwd(): string
  /** As they stand in the configuration. */
  rules: Readonly<Record<keyof PermissionRules, readonly string[]>>
  /** Whether the file tools of this session wrote a file (a real path) as it is. Default: none. */
  wrote?(real: string): boolean
  /** The sandbox. Default: none, and nobody misses it. */
  wall?: Wall | undefined
  /** Whose text a resumed conversation has read. */
  foreign?: string | undefined
  /** Writes rules down for ever. */
  keep?(rules: readonly string[]): Promise<void>
}

/** What an agent may do less than the session: it never widens. */
export interface Narrowing {
  /** Holds where it is stricter than the session's. */
  mode?: PermissionMode
  /** Rules. */
  ask?: readonly string[]
  deny?: readonly string[]
  /** The only tools that it may call, in lower case. Default: all. */
  tools?: readonly string[]
}

export interface Door {
  /** Decides about a call. `id`: of the call, where it is one of a reply. */
  authorize(call: PermissionCall & { id?: string }): Promise<Decision>
  /** The same door for somebody who may do less: all of it holds. */
  narrowed(...by: Narrowing[]): Door['authorize']
  /** The rules hold at once; `always` also keeps them. */
  remember(rules: readonly string[], how: keyof Question['rules']): Promise<void>
  /** Has to hear every event of the session. */
  listen(event: SessionEvent): void
}

/** Nobody needs it before the first call; asked for anew at every call it would cost more than it decides. */
async function loadEngine() {
  const [decide, gather, suggest, names, real, rule, where, look] = await Promise.all([
    import('./decide.ts'),
    import('./gather.ts'),
    import('./suggest.ts'),
    import('../paths/names.ts'),
    import('../paths/real.ts'),
    import('../rules/rule.ts'),
    import('./where.ts'),
    import('./look.ts'),
  ])
  return { ...decide, ...gather, ...suggest, ...names, ...real, ...rule, ...where, ...look }
}

export function createDoor(options: DoorOptions): Door {
  const { cwd, rules, wrote = () => false, keep } = options
  /** What calls that are under way will have written, by the call's id; then what was written. */
  const writing = new Map<string, readonly string[]>()
  const written = new Set<string>()
  let engine: ReturnType<typeof loadEngine> | undefined
  let read: PermissionRules | undefined
  /** Rules that the person set in this session, as they stand in config.yaml. */
  const remembered: string[] = []
  const wary = wariness(options.foreign)
  /** Calls that asked, by their ids, the latest last. */
  const asked = new Map<string, { call: PermissionCall; facts: PermissionFacts }>()

  /** What else of this session each step would have let run. */
  function withEarlier(
    question: Question,
    { id, letsRun }: { id: string | undefined; letsRun: typeof import('./suggest.ts').letsRun },
  ): Question {
    const others = [...asked].filter(([other]) => other !== id).reverse()
    const wider = question.wider.map(step => {
      const such = others.filter(([, { call, facts }]) => letsRun(call, facts, step.rules))
      return {
        ...step,
        earlier: [...new Set(such.map(([, { call }]) => call.accesses.map(textOf).join(' ')))],
      }
    })
    return { ...question, wider }
  }

  const judge = async (
    { id, ...call }: Parameters<Door['authorize']>[0],
    by: readonly Narrowing[] = [],
  ): Promise<Decision> => {
    engine ??= loadEngine()
    const {
      decide,
      onlyReads,
      gather,
      questionAbout,
      letsRun,
      secret,
      realTarget,
      readRules,
      behindWall,
      identify,
    } = await engine
    const ask = by.flatMap(one => one.ask ?? [])
    const deny = by.flatMap(one => one.deny ?? [])
    if (by.some(({ tools }) => tools && !tools.includes(call.tool.toLowerCase())))
      return { decision: 'deny', by: 'rule', why: told('permission.not_its_tool', { tool: call.tool }) }
    read ??= readRules({ ...rules, allow: [...rules.allow, ...remembered] })
    const own = ask.length + deny.length > 0 && readRules({ allow: [], ask, deny })
    const all = own ? { ...read, ask: [...own.ask, ...read.ask], deny: [...own.deny, ...read.deny] } : read
    const facts = await gather(call, {
      mode: by.reduce((mode, one) => stricterMode(mode, one.mode), options.mode()),
      cwd,
      shellCwd: options.shellCwd(),
      home: realTarget(options.home),
      gopiHome: realTarget(options.gopiHome),
      rules: all,
      isOwn: file => written.has(file) || wrote(file),
    })
    const { subjects } = facts
    if (id !== undefined) writing.set(id, subjects.flatMap(writesOf))
    const plain = decide(call, facts)
    const { wall } = options
    const decision = wall === undefined || call.outside ? plain : await behindWall(plain, facts, wall)
    const [only] = subjects
    const judged = subjects.length === 1 && only?.type === 'command' ? only.judged : undefined
    const runs = judged?.line
    // Of more than plain commands nobody knows when it writes, and a sandbox sees to its own.
    const bound = judged === undefined || judged.odd || decision.where !== undefined ? [] : judged.bound
    const decided = (real: string) => ({ real, id: identify(real) })
    if (id !== undefined && decision.decision === 'ask') {
      asked.delete(id)
      asked.set(id, { call, facts })
      const [oldest] = asked.keys()
      if (asked.size > mostAsked && oldest !== undefined) asked.delete(oldest)
    }
    const files = subjects.filter(subject => subject.type === 'file')
    const [file] = files
    const question = () => withEarlier(questionAbout(call, facts), { id, letsRun })
    const asks = { ...decision, ...(decision.decision === 'ask' && { question: question() }) }
    const isHarmless = subjects.every(onlyReads) || isWalledOff(decision)
    return {
      ...(isHarmless ? asks : wary.over(asks, { id, mode: facts.mode, touches: () => question().touches })),
      ...(decision.decision === 'allow' && runs !== undefined && { runs }),
      ...(bound.length > 0 && { writes: bound.map(({ file, ...at }) => ({ ...at, ...decided(file) })) }),
      ...(file && files.length === 1 && { target: { real: file.target, id: file.id } }),
      ...(subjects.flatMap(readsOf).some(real => secret(real) !== undefined) && { secrets: true as const }),
    }
  }

  return {
    authorize: call => judge(call),
    narrowed:
      (...by) =>
      call =>
        judge(call, by),

    async remember(texts, how) {
      remembered.push(...texts)
      read = undefined
      if (how === 'always') await keep?.(texts)
    },

    listen(event) {
      wary.listen(event)
      if (event.type !== 'tool_call_end') return
      if (!event.is_error) for (const file of writing.get(event.tool_call_id) ?? []) written.add(file)
      writing.delete(event.tool_call_id)
    },
  }
}

const STRICTNESS: readonly PermissionMode[] = ['plan', 'ask', 'auto-edit', 'yolo']
export const stricterMode = (a: PermissionMode, b: PermissionMode = a): PermissionMode =>
  STRICTNESS.indexOf(b) < STRICTNESS.indexOf(a) ? b : a

/** Where it runs it can neither change anything nor reach anybody. */
const isWalledOff = ({ where }: Decision): boolean => where === 'harmless' || where === 'sandbox-read'

/** So many calls that asked are looked at again. */
const mostAsked = 50

const textOf = (access: Access): string =>
  'run' in access
    ? access.run
    : 'read' in access
      ? access.read
      : 'write' in access
        ? access.write
        : 'reach' in access
          ? access.reach
          : ''

/** Real paths that a call is known to read. */
const readsOf = (subject: Subject): readonly string[] =>
  subject.type === 'file' ? [subject.target] : subject.type === 'command' ? subject.judged.reads : []

const writesOf = (subject: Subject): readonly string[] => {
  if (subject.type === 'command') return subject.judged.writes
  return subject.type === 'file' && subject.doing === 'write' ? [subject.target] : []
}
