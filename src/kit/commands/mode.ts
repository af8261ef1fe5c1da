import type { ModeName, Words } from '../../words/words.ts'
import type { Behaviour } from './command.ts'

export const mode: Behaviour<'list' | 'mode'> = {
  argument: { of: 'mode' },
  needs: ['list', 'mode'],
  run(host, name) {
    const { modes, notices, listed } = host.words
    if (name === '') host.list('mode')
    else if (isMode(name, modes)) host.mode(name)
    else host.refuse(notices.noSuchMode(name, listed(Object.keys(modes))))
  },
}

const isMode = (name: string, modes: Words['modes']): name is ModeName => Object.hasOwn(modes, name)
