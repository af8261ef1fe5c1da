/** The environment that commands get: the person's, less the names that `permission.env` keeps from them. */
export function commandEnvironment(env: NodeJS.ProcessEnv, hidden: readonly string[]): NodeJS.ProcessEnv {
  const patterns = hidden.map(
    glob =>
      new RegExp(
        `^${glob
          .replace(/[\\^$+.()|[\]{}]/g, '\\$&')
          .replaceAll('*', '.*')
          .replaceAll('?', '.')}$`,
        'i',
      ),
  )
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !patterns.some(pattern => pattern.test(name))),
  )
}
