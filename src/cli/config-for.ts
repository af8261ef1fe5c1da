/** The configuration for the flags of a subcommand, in the current directory. */
import { realpathSync } from 'node:fs'
import { trustOf } from '../assembly/trust.ts'
import { gopiHome } from '../config/home.ts'
import { type ConfigFlags, type LoadedConfig, loadConfig } from '../config/load.ts'

/** Throws `UsageError`. */
export function configFor({
  trust,
  config: file,
  ...flags
}: ConfigFlags & { trust?: boolean; config?: string; kind: string }): Promise<LoadedConfig> {
  const env = process.env
  const home = gopiHome(env)
  const cwd = realpathSync(process.cwd())
  return loadConfig({ home, cwd, env, flags, file, trusted: trust ?? trustOf(home, cwd) ?? false })
}
