/** Commands that work at a desk: what they do is loaded when somebody wants it. */
import type { Behaviour, Work } from './command.ts'

export const working = (
  load: () => Promise<Work>,
  more: Pick<Behaviour, 'argument' | 'rests' | 'aliases'> = {},
): Behaviour<'work'> => ({
  ...more,
  needs: ['work'],
  run: (host, argument) => host.work(async desk => (await load())(desk, argument)),
})
