/** What a session begins with, before anything that its folder or its agents bring. */
import type { Config } from '../config/config.ts'
import { builtin } from '../kit/builtin.ts'
import type { Source } from '../kit/source.ts'

/** `sources`: instead of gopi itself. `more`: after it. */
export async function baseSources(
  tools: Config['tools'],
  { sources, more = [] }: { sources?: readonly Source[] | undefined; more?: readonly Source[] | undefined },
): Promise<readonly Source[]> {
  const own = sources ?? [builtin(tools), ...more]
  return tools.background ? (await import('./staying.ts')).withStaying(own) : own
}
