import type { Behaviour } from './command.ts'

export const quit: Behaviour<'end'> = {
  aliases: ['exit', 'q'],
  needs: ['end'],
  run: host => host.end({ type: 'leave' }),
}
