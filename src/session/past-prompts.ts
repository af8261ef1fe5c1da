/** What a person said in a session of the past, for a list that is searched. */
import { readFile } from 'node:fs/promises'
import { fieldsOf, parseRecord } from '../text/record.ts'
import { listSessions, sessionsDirectory } from './store.ts'

/** So many sessions are read, the newest. */
const MOST_READ = 100
/** Of each prompt so much is kept (characters). */
const LONGEST = 400

/** By the session's id, the oldest prompt first. What cannot be read is left out. */
export async function promptsBySession(home: string, cwd: string): Promise<Map<string, string[]>> {
  const newest = listSessions(sessionsDirectory(home, cwd)).slice(0, MOST_READ)
  const all = new Map<string, string[]>()
  for (const { id, file } of newest) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) all.set(id, promptsIn(text))
  }
  return all
}

function promptsIn(journal: string): string[] {
  const prompts: string[] = []
  for (const line of journal.split('\n')) {
    // Most lines are replies and results, some of them long.
    if (!line.startsWith('{"type":"message"') || !line.includes('"role":"user"')) continue
    const { role, content, shown = content } = fieldsOf(parseRecord(line))
    if (role === 'user' && typeof shown === 'string' && shown.trim() !== '')
      prompts.push(shown.trim().slice(0, LONGEST))
  }
  return prompts
}
