/** Writes a text over a file as the tools do: its directory, its name, how long the text is. Says what the tool said. */
import { findTarget, save } from '../../src/tools/save.ts'

const [cwd = '', name = '', length = '0', spill = cwd] = process.argv.slice(2)
const { signal } = new AbortController()
findTarget(name, { cwd })
  .then(target => save(target, 'n'.repeat(Number(length)), { signal, spillDir: async () => spill }))
  .then(
    () => process.stdout.write('written'),
    error => process.stdout.write(String(error.code ?? error)),
  )
