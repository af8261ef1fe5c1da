/** Where a session works, for its commands. */
import { gopiHome } from '../config/home.ts'
import type { Place } from '../kit/commands/command.ts'
import type { Started } from './begin.ts'

export const placeOf = ({
  cwd,
  config,
  instructions,
  trusted,
}: Pick<Started, 'cwd' | 'config' | 'instructions' | 'trusted'>): Place => ({
  home: gopiHome(process.env),
  cwd,
  trusted,
  instructions: instructions.texts,
  async config() {
    return (await import('./config-command.ts')).showConfig(config, { json: false })
  },
})
