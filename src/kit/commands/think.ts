import { THINK } from '../../protocol/wire.ts'
import type { Behaviour } from './command.ts'

export const think: Behaviour<'think'> = {
  argument: { isRequired: true, of: () => THINK },
  needs: ['think'],
  run(host, name) {
    const level = THINK.find(known => known === name)
    if (level) host.think(level)
    else host.refuse(host.words.notices.noSuchThinking(name, THINK.join(', ')))
  },
}
