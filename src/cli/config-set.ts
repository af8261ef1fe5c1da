/** `gopi config set KEY VALUE`: in the person's config file. */
import path from 'node:path'
import { gopiHome } from '../config/home.ts'
import { themeProblem } from '../config/themes.ts'
import { UsageError } from '../protocol/errors.ts'
import { lock } from '../session/lock.ts'
import { diffLines } from '../text/diff.ts'
import { sanitize } from '../text/sanitize.ts'
import type { ConfigCommand } from './args.ts'
import { languageAnyway, reportsIn } from './reports.ts'
import { say } from './say.ts'

/** Shows what changes, then writes it. */
export async function configSet(command: ConfigCommand): Promise<number> {
  const { key = '', value = '', config } = command
  const words = (await reportsIn(await languageAnyway(command))).config
  const home = gopiHome(process.env)
  const named = config ?? (process.env.GOPI_CONFIG || undefined)
  const file = named === undefined ? path.join(home, 'config.yaml') : path.resolve(named)
  // Another gopi may set another key.
  const locked = lock({ id: '', file: '', directory: path.join(home, 'config.lock') })
  if ('heldBy' in locked)
    throw new UsageError(`${file} is being changed by another gopi (process ${locked.heldBy}); try again`)
  try {
    const { withKey, writeKey } = await import('../config/set-key.ts')
    const strange = key === 'tui.theme' ? themeProblem(home, value) : undefined
    if (strange !== undefined) throw new UsageError(strange)
    const changed = withKey(file, key, value)
    if (changed.before === changed.after) {
      say(words.same(file))
      return 0
    }
    process.stdout.write(sanitize(diffLines(changed.before, changed.after).diff))
    writeKey(file, changed)
    say(words.written(file))
    return 0
  } finally {
    locked.release()
  }
}
