import type { Behaviour } from './command.ts'

export const resume: Behaviour<'list' | 'end'> = {
  argument: { of: 'session' },
  rests: true,
  needs: ['list', 'end'],
  run: (host, id) => (id === '' ? host.list('session') : host.end({ type: 'session', id })),
}
