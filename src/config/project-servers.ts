/** The file in which a project names servers of tools, as other assistants read it, too. */
import path from 'node:path'
import type { Said } from '../protocol/sayings.ts'
import { messageOf } from '../text/message-of.ts'
import { isRecord } from '../text/record.ts'
import { said } from '../words/sayings/said.ts'
import { readConfigFile } from './file.ts'

/** As seen from the project's folder. */
export const SERVERS_FILE = '.mcp.json'

/** What it says of each server, by name; why it cannot be read. Never throws. */
export function projectServers(
  cwd: string,
): { servers: Record<string, unknown> } | { problem: { why: Said } } {
  const content = readConfigFile(path.join(cwd, SERVERS_FILE))
  if ('absent' in content) return { servers: {} }
  if ('problem' in content) return { problem: { why: content.problem } }
  try {
    const tree: unknown = JSON.parse(content.text)
    const servers = isRecord(tree) ? tree.mcpServers : undefined
    if (isRecord(servers)) return { servers }
    return { problem: { why: said('mcp_entry.servers', {}) } }
  } catch (error) {
    // What stands there is for nobody's screen.
    const [problem = ''] =
      /^.*?(?=, \.\.\.|, "| in JSON| \(line|$)/.exec(messageOf(error).split('\n')[0] ?? '') ?? []
    return { problem: { why: said('mcp_entry.json', { problem }) } }
  }
}
