import { homedir } from 'node:os'
import path from 'node:path'

/** $GOPI_HOME: where gopi keeps what is its own. An absolute path. */
export const gopiHome = (env: NodeJS.ProcessEnv): string =>
  path.resolve(env.GOPI_HOME || path.join(env.HOME || homedir(), '.gopi'))
