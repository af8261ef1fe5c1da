/** Where a session works, for its commands. */
import { gopiHome } from '../config/home.ts'
import type { Place } from '../kit/commands/command.ts'
import type { Started } from './begin.ts'
import { languageFor, reportsIn } from './reports.ts'

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
    const [{ showConfig }, words] = await Promise.all([
      import('./config-command.ts'),
      reportsIn(languageFor(config)),
    ])
    return showConfig(config, words.config)
  },
})
