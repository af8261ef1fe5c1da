/** The sandbox as the configuration wants it. Nothing of it is loaded before a command would run in it. */
import type { Config, Sandboxing } from '../config/config.ts'
import type { Wall as Rules } from '../permission/where.ts'
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox.ts'
import type { Wall } from '../shell/worlds.ts'

/** `wall`: for the shell. `rules`: for decisions; they ask for the proof before the shell is told to use it. undefined: off. */
export function sandboxFor(
  setting: Config['sandbox'],
  options: Omit<SandboxOptions, 'network'>,
): { wall: Wall; rules: Omit<Rules, 'missed'> } | undefined {
  const {
    mode = 'auto',
    network = [],
    ask = true,
    memory,
    processes,
  }: Sandboxing = typeof setting === 'string' ? { mode: setting } : setting
  if (mode === 'off') return undefined
  let made: Sandbox | undefined
  const sandbox = () => {
    if (made === undefined) throw new Error('the sandbox has not been proved')
    return made
  }
  const limits = [
    ...(memory === undefined ? [] : [`ulimit -v ${memory * 1024}`]),
    ...(processes === undefined ? [] : [`ulimit -u ${processes}`]),
  ]
  return {
    wall: {
      launch: where => sandbox().launch(where),
      isStale: where => sandbox().isStale(where),
      watch: () => sandbox().watch(),
      env: where => sandbox().env(where),
      reach: () => sandbox().reach(),
      close: async () => made?.close(),
      limits: limits.join(';'),
    },
    rules: {
      required: mode === 'required',
      works: !ask,
      network,
      async problem(where) {
        const { createSandbox } = await import('../sandbox/sandbox.ts')
        made ??= createSandbox({ ...options, network })
        return made.problem(where)
      },
    },
  }
}
