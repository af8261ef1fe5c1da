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

const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  read: { path: 'file_path' },
  write: { path: 'file_path' },
  edit: { path: 'file_path', old: 'old_string', new: 'new_string', all: 'replace_all' },
  grep: { ignore_case: '-i' },
}

/** A call's arguments under the names that other assistants have for them. */
export const commonArguments = (tool: string, args: Readonly<Record<string, unknown>>) =>
  renamed(args, FIELDS[tool] ?? {})

/** The other way round; our own names stay. */
export const ownArguments = (tool: string, args: Readonly<Record<string, unknown>>) =>
  renamed(args, Object.fromEntries(Object.entries(FIELDS[tool] ?? {}).map(([own, common]) => [common, own])))

const renamed = (args: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [names[name] ?? name, value]))
