import type { Behaviour } from './command.ts'

export const model: Behaviour<'list' | 'end'> = {
  aliases: ['models'],
  argument: { of: 'model' },
  rests: true,
  needs: ['list', 'end'],
  run: (host, name) => (name === '' ? host.list('model') : host.end({ type: 'model', name })),
}
