import { homedir, userInfo } from 'node:os'
import path from 'node:path'

/**
 * $GOPI_HOME: where gopi keeps what is its own. An absolute path. An empty HOME is none: then the system's list of users
 * tells, and never the project.
 */
export const gopiHome = (env: NodeJS.ProcessEnv): string =>
  path.resolve(env.GOPI_HOME || path.join(env.HOME || homedir() || userInfo().homedir, '.gopi'))
