import type { Behaviour } from './command.ts'

export const later: Behaviour<'later'> = {
  argument: { isRequired: true },
  needs: ['later'],
  run: (host, text) => host.later(text),
}
