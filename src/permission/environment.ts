/** gopi's own: the key for a server, which no command needs. */
const OWN_SECRETS = ['OLLAMA_API_KEY']

/**
 * The environment that commands get: the person's, less gopi's own secrets and the names that `permission.env` keeps from
 * them.
 */
export function commandEnvironment(env: NodeJS.ProcessEnv, hidden: readonly string[]): NodeJS.ProcessEnv {
  const patterns = [...OWN_SECRETS, ...hidden].map(
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
    Object.entries(env)
      .filter(([name]) => !patterns.some(pattern => pattern.test(name)))
      .map(([name, value]) => [name, name === 'OLLAMA_HOST' ? value?.replace(/[^/]*@/, '') : value]),
  )
}
