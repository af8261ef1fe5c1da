import type { Behaviour } from './command.ts'

export const theme: Behaviour<'list' | 'theme'> = {
  argument: { of: 'theme' },
  needs: ['list', 'theme'],
  run: (host, name) => (name === '' ? host.list('theme') : host.theme(name)),
}
