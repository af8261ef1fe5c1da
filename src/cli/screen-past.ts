/** The sessions that the screen lists. */
import type { PastSession } from '../session/past.ts'
import type { App } from '../tui/app.ts'

/** Those of a directory with what was said in them, the newest first. What lies among them and is none is said. */
export async function listedSessions(
  app: App,
  home: string,
  cwd: string,
): Promise<(PastSession & { prompts?: readonly string[] })[]> {
  const [{ pastSessions, skippedJournals }, { promptsBySession }] = await Promise.all([
    import('../session/past.ts'),
    import('../session/past-prompts.ts'),
  ])
  for (const skipped of skippedJournals(home, cwd)) app.say(app.words.say(skipped), 'warning')
  const prompts = await promptsBySession(home, cwd)
  return pastSessions(home, cwd).map(session => {
    const said = prompts.get(session.id)
    return said ? { ...session, prompts: said } : session
  })
}
