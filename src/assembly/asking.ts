/** Who is asked about a call, in which order, and where an answer that holds for always is kept. */
import { limiter } from '../agent/limiter.ts'
import type { Approve } from '../agent/run.ts'
import type { Kit } from '../kit/kit.ts'
import type { Recorder } from '../session/recorder.ts'
import { told } from '../words/sayings/told.ts'

/** Steps are asked before the person is; where nobody can be asked, neither are they. */
export function answeredBy(steps: Kit['steps'], approve: Approve): Approve {
  const asking = steps.flatMap(step => step.asking ?? [])
  if (!approve || asking.length === 0) return approve
  return async (approval, signal) => {
    for (const ask of asking) {
      const verdict = await ask(approval.call, { why: approval.why, isHard: approval.hard }, signal)
      if (verdict) return verdict.allow ? { allow: true } : { ...verdict, allow: false }
    }
    return approve(approval, signal)
  }
}

/** Agents that work side by side ask one after the other. */
export function oneByOne(approve: Approve): Approve {
  if (!approve) return approve
  const turns = limiter(1)
  return async (approval, signal) => {
    await turns.enter()
    try {
      return signal.aborted ? { allow: false } : await approve(approval, signal)
    } finally {
      turns.leave()
    }
  }
}

/** Says it the first time only. */
export function once(say: (why: string) => void): (why: string) => void {
  let isSaid = false
  return why => {
    if (!isSaid) say(why)
    isSaid = true
  }
}

/** Writes rules to the person's config file; where that fails, says that they hold for this session only. */
export async function keepRules(rules: readonly string[], file: string, recorder: Recorder): Promise<void> {
  const { addRules } = await import('../config/add-rules.ts')
  const problem = addRules(file, rules)
  if (problem) recorder.notice(told('config.rule_unsaved', { problem }))
}
