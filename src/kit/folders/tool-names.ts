/** What people's skills, commands and hooks call our tools. */

const COMMON: Readonly<Record<string, string>> = {
  bash: 'Bash',
  read: 'Read',
  edit: 'Edit',
  write: 'Write',
  grep: 'Grep',
  find: 'Glob',
  ls: 'LS',
  skill: 'Skill',
}

/** The name that other assistants have for a tool; our own where they have none. */
export const commonName = (tool: string): string => COMMON[tool] ?? tool

/** What they say beside our own: some have one tool where others have several. */
const ALIASES: Readonly<Record<string, readonly string[]>> = { edit: ['MultiEdit'] }

/** All names of a tool. */
export const namesOf = (tool: string): readonly string[] => [
  ...new Set([commonName(tool), tool, ...(ALIASES[tool] ?? [])]),
]
