/** What a project's own files would set once its folder is trusted: for a person to read before they say yes. */
import path from 'node:path'
import { readConfigFile } from './file.ts'
import { PROJECT_FILES } from './load.ts'
import { admitProject } from './project.ts'
import { projectServers } from './project-servers.ts'
import { settingsOf } from './settings.ts'

/** `permission.allow: Bash(*)`, and what is wrong with the files, if anything is. What holds without trust is left out. */
export async function claimedSettings(cwd: string): Promise<string[]> {
  const claims = await Promise.all(PROJECT_FILES.map(name => claimsOf(path.join(cwd, '.gopi', name))))
  return [...claims.flat(), ...claimedServers(cwd)]
}

/** What a server would run or reach. */
function claimedServers(cwd: string): string[] {
  const project = projectServers(cwd)
  if ('problem' in project) return []
  return Object.entries(project.servers).map(([name, entry]) => `mcp.${name}: ${textOf(entry)}`)
}

async function claimsOf(file: string): Promise<string[]> {
  const content = readConfigFile(file)
  if ('absent' in content) return []
  if ('problem' in content) return [content.problem.message]
  const { checkYaml } = await import('./yaml.ts')
  const { values, problems } = checkYaml(content.text, file)
  const settings = settingsOf(values, { from: 'project', name: file })
  const open = new Set(admitProject(settings, { file, trusted: false, mode: 'ask' }).settings)
  const claimed = settings.filter(setting => !open.has(setting))
  return [...claimed.map(({ path, value }) => `${path}: ${textOf(value)}`), ...problems]
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
