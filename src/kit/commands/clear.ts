import type { Behaviour } from './command.ts'

export const clear: Behaviour<'end'> = {
  aliases: ['new'],
  rests: true,
  needs: ['end'],
  run: host => host.end({ type: 'new session' }),
}
