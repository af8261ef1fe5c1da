/** Whether a session has anything besides gopi's own: who has not pays a look at some folders, and loads nothing for it. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { LoadedConfig } from '../config/load.ts'
import { SERVERS_FILE } from '../config/project-servers.ts'
import { type Places, rootsOf } from '../kit/folders/roots.ts'

interface Extended extends Places {
  config: Pick<LoadedConfig, 'config'>
}

export function isExtended(asked: Extended): boolean {
  const { hooks, extensions } = asked.config.config
  if (Object.keys(hooks).length > 0 || extensions.length > 0 || hasServers(asked)) return true
  return rootsOf('skills', asked).length + rootsOf('commands', asked).length > 0
}

export const hasServers = ({ config, cwd, trusted }: Omit<Extended, 'home' | 'person'>): boolean =>
  Object.keys(config.config.mcp).length > 0 || (trusted && existsSync(path.join(cwd, SERVERS_FILE)))
