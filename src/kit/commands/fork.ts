import type { Behaviour } from './command.ts'

export const fork: Behaviour<'end'> = {
  rests: true,
  needs: ['end'],
  run: host => host.end({ type: 'fork' }),
}
