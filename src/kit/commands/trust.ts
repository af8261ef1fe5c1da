import type { Behaviour } from './command.ts'

/** Asks about the folder anew: the answer holds from the next session on, so this conversation goes on in one. */
export const trust: Behaviour<'end'> = {
  rests: true,
  needs: ['end'],
  run: host => host.end({ type: 'trust' }),
}
