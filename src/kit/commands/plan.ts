import type { Behaviour } from './command.ts'

export const plan: Behaviour<'mode' | 'prompt'> = {
  argument: {},
  needs: ['mode', 'prompt'],
  run(host, text) {
    host.mode('plan')
    if (text !== '') host.prompt(text)
  },
}
