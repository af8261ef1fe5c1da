/** What is no full screen. A model or a prompt of such a name opens without a skeleton. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...[
    '--plain',
    '--help',
    '--version',
    'models',
    'sessions',
    'config',
    'permission',
    'demo',
    'init',
    'doctor',
  ],
  ...['completion', 'mcp', 'acp', 'kit', 'skills', 'extensions'],
])

/** Whether the arguments mean the full screen for certain, and the terminal can show it. */
export function opensScreen(argv: readonly string[], { TERM = '' }: NodeJS.ProcessEnv): boolean {
  // Of letters in a bundle, -p and -h are something else.
  const isElsewhere = (word: string) => ELSEWHERE.has(word) || /^-[a-z]*[ph]/i.test(word)
  return TERM !== '' && TERM !== 'dumb' && !argv.some(isElsewhere)
}
