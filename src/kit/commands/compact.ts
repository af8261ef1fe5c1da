import type { Behaviour } from './command.ts'

export const compact: Behaviour<'compact'> = {
  argument: {},
  rests: true,
  needs: ['compact'],
  run: (host, hint) => host.compact(hint),
}
