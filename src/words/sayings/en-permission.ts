import type { Said } from '../../protocol/sayings.ts'
import type { Catalogue, Texts } from './sayings.ts'

/** A piece of the command as it is shown. */
type What = Texts<'what'>
type Name = Texts<'name'>
type Where = Texts<'file'>
type Because = { why: Said }

export const EN_PERMISSION = {
  'permission.only_reads': ({ tool }: Texts<'tool'>) => `${tool} only reads`,
  'permission.line_only_reads': () => 'only reads',
  'permission.not_understood': () =>
    'it is more than plain commands, so gopi cannot be sure that it only reads',
  'permission.sandbox_read': () => 'runs in the sandbox, where it can change nothing',
  'permission.sandbox_work': ({ hosts }: { hosts?: string }) =>
    `runs in the sandbox, where it can change the project only${hosts === undefined ? '' : hosts === '*' ? ' and reach every host' : ` and reach only ${hosts}`}`,
  'permission.sandbox_required': ({ why }: Texts<'why'>) =>
    `it has to run in a sandbox, and there is none that holds (${why})`,
  'permission.sandbox_written': ({ why }: Because, say) =>
    `the sandbox stopped it, for it wanted to write; ${say(why)}`,
  'permission.sandbox_hidden': ({ why }: Because, say) =>
    `the sandbox stopped it, for it wanted what is kept from it; ${say(why)}`,
  'permission.sandbox_network': ({ why }: Because, say) =>
    `the sandbox stopped it, for it wanted the network; ${say(why)}`,
  'permission.sandbox_missing': ({ why }: Texts<'why'>) =>
    `Commands are not run in a sandbox here: ${why}. gopi asks about them instead.`,
  'permission.plan': ({ why }: Because, say) => `mode plan changes nothing, and this may (${say(why)})`,
  'permission.plan_tool': ({ tool }: Texts<'tool'>) => `mode plan changes nothing, and ${tool} may`,
  'permission.task': ({ agent }: Texts<'agent'>) =>
    `what the agent ${agent} does is decided upon call by call`,
  'permission.not_its_tool': ({ tool }: Texts<'tool'>) => `${tool} is none of the agent’s tools`,
  'permission.yolo': () => 'mode yolo runs everything',
  'permission.auto_edit': () => 'mode auto-edit edits files of the project',
  'permission.ask_change': () => 'mode ask asks before a change',
  'permission.ask_tool': ({ mode, tool }: Texts<'mode' | 'tool'>) => `mode ${mode} asks before ${tool}`,
  /** `goesOut`: it wants the network, which no sandbox has. */
  'permission.ask_command': ({ mode, why, goesOut }: { mode: string; why: Said; goesOut?: boolean }, say) =>
    `mode ${mode} asks before a command: ${say(why)}${goesOut ? '' : mode === 'ask' ? '; after /mode auto-edit commands like it run without asking, in a sandbox: they change only this project and have no network' : '; if gopi had a sandbox here, it would run without asking'}`,
  'permission.ask_host': ({ tool, host }: Texts<'tool' | 'host'>) => `${tool} reaches ${host}`,
  'permission.unnamed': ({ tool }: Texts<'tool'>) => `${tool} does not say what it touches`,
  'permission.in_part': ({ why, part }: { why: Said; part: string }, say) => `${say(why)} (in \`${part}\`)`,
  'permission.sends': () => 'it sends something out for good',
  'permission.tool_changed': ({ tool }: Texts<'tool'>) =>
    `the server has changed what ${tool} is since it was last used`,
  'permission.foreign': ({ host }: Texts<'host'>) =>
    `text from ${host} was read in this conversation, and this changes something or goes out`,
  'permission.more': ({ more }: { more: number }) => `and ${more} more`,
  'permission.both': ({ why, also }: { why: Said; also: Said }, say) => `${say(why)}; ${say(also)}`,
  'permission.reads_outside': ({ file }: Where) => `reads outside the project: ${file}`,
  'permission.writes_outside': ({ file }: Where) => `writes outside the project: ${file}`,
  'permission.leaves_project': ({ file }: Where) => `leaves the project: ${file}`,
  'permission.redirect_writes': ({ file }: Where) => `a redirect writes ${file}`,
  'permission.rule_allows': ({ rule }: Texts<'rule'>) => `the rule ${rule} allows it`,
  'permission.rule_asks': ({ rule }: Texts<'rule'>) => `the rule ${rule} asks about it`,
  'permission.rule_denies': ({ rule }: Texts<'rule'>) => `the rule ${rule} denies it`,
  'permission.rule_mentioned': ({ rule }: Texts<'rule'>) => `it may run what the rule ${rule} speaks of`,
  'permission.rule_unchecked': ({ why, rule }: { why: Said; rule: string }, say) =>
    `${say(why)}, so nobody knows whether ${rule} forbids it`,
  'permission.nobody': ({ why }: Because, say) => `${say(why)}, and nobody can be asked here`,
  'permission.changed': ({ why }: Because, say) =>
    `what it would do changed after it was allowed: ${say(why)}`,
  'permission.step': ({ step }: Texts<'step'>) => `${step} decided it`,
  'permission.step_because': ({ step, reason }: Texts<'step' | 'reason'>) => `${step}: ${reason}`,
  'permission.control_character': () => 'the path holds a control character',
  'permission.network_path': ({ file }: Where) => `a network or device path: ${file}`,
  'permission.irregular': ({ file }: Where) => `no regular file: ${file}`,
  'permission.is_irregular': ({ file }: Where) => `${file} is no regular file`,
  'permission.process_memory': ({ file }: Where) => `shows the memory or environment of a process: ${file}`,
  'permission.raw_device': ({ file }: Where) => `a raw device: ${file}`,
  'permission.proc_pattern': () => 'a pattern for files of /proc',
  'permission.protected': ({ name, file }: Texts<'name' | 'file'>) => `${name} is protected: ${file}`,
  'permission.protected_own': ({ file }: Where) => `gopi's own files are protected: ${file}`,
  'permission.protected_ci': ({ file }: Where) => `CI workflows are protected: ${file}`,
  'permission.hard_link': ({ file }: Where) =>
    `${file} has another name (a hard link), and what stands there would change too`,
  'permission.secret': ({ file }: Where) => `may hold secrets: ${file}`,
  'permission.what_runs': ({ what }: What) => `gopi cannot tell what ${what} runs`,
  'permission.what_does': ({ what }: What) => `gopi cannot tell what ${what} does`,
  'permission.what_does_with': ({ what, given }: Texts<'what' | 'given'>) =>
    `gopi cannot tell what ${what} does with ${given}`,
  'permission.what_is_given': ({ what }: What) => `gopi cannot tell what ${what} is given`,
  'permission.what_means': ({ what }: What) => `gopi cannot tell what ${what} means here`,
  'permission.what_touches': ({ what }: What) => `gopi cannot tell what touches ${what}`,
  'permission.what_destroys': ({ what }: What) => `gopi cannot tell what ${what} destroys`,
  'permission.which_program': ({ what }: What) => `gopi cannot tell which program ${what} is`,
  'permission.which_file_reads': ({ what }: What) => `gopi cannot tell which file ${what} reads`,
  'permission.which_redirect_writes': ({ what }: What) =>
    `gopi cannot tell which file a redirect writes: ${what}`,
  'permission.which_redirect_reads': ({ what }: What) =>
    `gopi cannot tell which file a redirect reads: ${what}`,
  'permission.which_directory': () => 'gopi cannot tell which directory this runs in',
  'permission.where_is': ({ what }: What) => `gopi cannot tell where ${what} is`,
  'permission.where_goes': ({ what }: What) => `gopi cannot tell where ${what} goes`,
  'permission.where_comment': () => 'gopi cannot tell where a comment ends',
  'permission.only_reads_program': ({ name }: Name) => `gopi cannot tell that the ${name} program only reads`,
  'permission.only_reads_jq': () => 'gopi cannot tell that the jq filter only reads its input',
  'permission.only_reads_sed': ({ script }: Texts<'script'>) =>
    `gopi cannot tell that the sed script ${script} only reads`,
  'permission.cannot_look': ({ directory }: Texts<'directory'>) =>
    `gopi cannot look at all that lies below ${directory}`,
  'permission.cannot_parse': ({ what }: What) => `gopi cannot parse ${what}`,
  'permission.cannot_parse_command': () => 'gopi cannot parse the command',
  'permission.not_parsed': ({ problem }: Texts<'problem'>) => `the command cannot be parsed (${problem})`,
  'permission.unknown_program': ({ what }: What) => `gopi does not know what ${what} does`,
  'permission.unknown_reader': ({ name }: Name) => `${name} may change something`,
  'permission.unknown_construct': ({ type }: Texts<'type'>) => `gopi does not know the construct ${type}`,
  'permission.unknown_expansion': ({ what }: What) => `gopi does not know ${what}`,
  'permission.not_only_reads': ({ what }: What) => `${what} is not known to only read`,
  'permission.git_unknown': ({ what }: What) => `${what} is no command of git that gopi knows`,
  'permission.too_long': ({ kilobytes }: { kilobytes: number }) =>
    `the command is longer than ${kilobytes} KB`,
  'permission.holds_control': ({ character }: Texts<'character'>) =>
    `the command holds the control character ${character}`,
  'permission.holds_invisible': ({ character }: Texts<'character'>) =>
    `the command holds the invisible character ${character}`,
  'permission.broken_line': () => 'a line is broken after $',
  'permission.not_unicode': () => 'the command is not well-formed Unicode',
  'permission.blank_lookalike': ({ what }: What) =>
    `a character that only looks like a blank stands in ${what}`,
  'permission.unusual_name': ({ what }: What) => `the name of the program holds unusual characters: ${what}`,
  'permission.runs_another': ({ what }: What) => `${what} runs another program`,
  'permission.runs_given': ({ what }: What) => `${what} runs what it is given`,
  'permission.runs_word': ({ name, what }: Texts<'name' | 'what'>) => `${name} runs what stands in ${what}`,
  'permission.runs_remote': () => 'it may run what it gets from elsewhere',
  'permission.runs_from_now': ({ what }: What) => `${what} changes what runs from now on`,
  'permission.many_nested': () => 'too many programs that run one another',
  'permission.many_words': () => 'too many words of which each may be a program',
  'permission.may_evaluate': ({ what }: What) => `${what} may evaluate what it is given`,
  'permission.may_evaluate_held': ({ what }: What) => `${what} may evaluate what it holds`,
  'permission.may_steer': ({ name }: Name) => `${name} may steer what runs`,
  'permission.decides_runs': ({ name }: Name) => `${name} decides what runs`,
  'permission.changes_name': ({ name }: Name) => `${name} changes what a name runs`,
  'permission.reads_otherwise': ({ name }: Name) => `${name} may read its line otherwise than bash`,
  'permission.sets': ({ names }: Texts<'names'>) => `sets ${names}`,
  'permission.writes_second': ({ name }: Name) => `${name} writes its second file`,
  'permission.overwrites': ({ name, file }: Texts<'name' | 'file'>) => `${name} overwrites ${file}`,
  'permission.redirect_overwrites': ({ file }: Where) => `a redirect overwrites ${file}`,
  'permission.redirect_irregular': ({ file }: Where) =>
    `a redirect writes to ${file}, which is no regular file`,
  'permission.redirect_nowhere': () => 'a redirect has no target',
  'permission.redirect_sets': () => 'a redirect sets a variable',
  'permission.network': ({ what }: What) => `opens a network connection: ${what}`,
  'permission.coproc': () => 'coproc runs a command that gopi does not judge',
  'permission.endless_function': ({ name }: Name) =>
    `the function ${name} calls itself until the machine is full`,
  'permission.backticks': () => 'backticks hide what runs; $(…) does not',
  'permission.substituted_document': () => 'a here-document stands in a substitution of several commands',
  'permission.endless_document': () => 'a here-document has no end',
  'permission.running_document': () => 'a here-document runs what stands in it (quote its delimiter)',
  'permission.test_evaluates': ({ operator }: Texts<'operator'>) => `[[ ${operator} ]] evaluates its operand`,
  'permission.arithmetic': ({ what }: What) => `arithmetic evaluates what stands in it: ${what}`,
  'permission.subscript': ({ what }: What) => `a subscript is evaluated: ${what}`,
  'permission.privileges': ({ name }: Name) => `${name} takes privileges`,
  'permission.ends_machine': ({ name }: Name) => `${name} ends the machine`,
  'permission.ends_machine_so': () => 'ends the machine',
  'permission.destroys_files': ({ name }: Name) => `${name} destroys files for good`,
  'permission.destroys_system': ({ name }: Name) => `${name} destroys a file system`,
  'permission.changes_partitions': ({ name }: Name) => `${name} changes partitions`,
  'permission.ends_processes': ({ name }: Name) => `${name} ends every process`,
  'permission.destroys_device': ({ name }: Name) => `${name} destroys a device`,
  'permission.changes_encrypted': ({ name }: Name) => `${name} changes an encrypted device`,
  'permission.makes_system': ({ name }: Name) => `${name} makes a new file system over what is there`,
  'permission.ends_users': ({ what }: What) => `${what} ends every process of a user`,
  'permission.ends_yours': ({ what }: What) => `${what} ends every process of yours`,
  'permission.changes_tree': ({ what }: What) => `${what} changes a whole tree`,
  'permission.overwrites_device': ({ what }: What) => `${what} may overwrite a device`,
  'permission.destroys_disk': ({ name }: Name) => `${name} destroys a disk`,
  'permission.destroys': ({ what, file }: Texts<'what' | 'file'>) => `${what} destroys ${file}`,
  'permission.empties': ({ what, directory }: Texts<'what' | 'directory'>) => `${what} empties ${directory}`,
  'permission.git_runs': ({ what }: What) => `${what} can make git run another program`,
  'permission.git_makes_run': ({ what }: What) => `${what} makes git run another program`,
  'permission.git_gpg': ({ what }: What) => `${what} runs gpg`,
  'permission.git_config_runs': ({ what }: What) => `${what} may decide what git runs`,
  'permission.git_changes': ({ what }: What) => `${what} changes what git does`,
  'permission.git_repository': ({ what }: What) => `${what} changes the repository`,
  'permission.git_talks': ({ what }: What) => `${what} talks to another machine`,
  'permission.git_push': ({ what }: What) => `${what} overwrites or deletes what others have`,
  'permission.git_throws': ({ what }: What) => `${what} throws changes away`,
  'permission.git_clean': ({ what }: What) => `${what} deletes files that git does not know`,
  'permission.git_stash': ({ what }: What) => `${what} throws away what was put aside`,
  'permission.git_commits': ({ what }: What) => `${what} deletes commits that nothing else holds`,
  'permission.git_prune': ({ what }: What) => `${what} throws away what nobody can get back`,
  'permission.git_reflog': ({ what }: What) => `${what} deletes the way back`,
  'permission.git_history': ({ what }: What) => `${what} rewrites the history`,
  'permission.git_tree': ({ what }: What) => `${what} deletes the whole tree`,
  'permission.git_here': ({ why }: Because, say) => `git may run other programs here: ${say(why)}`,
  'permission.git_unreadable': () => 'gopi cannot read the configuration of the repository',
  'permission.git_bare': ({ directory }: Texts<'directory'>) => `${directory} looks like a bare repository`,
  'permission.git_submodules': () => 'the repository has submodules, whose configuration git follows',
  'permission.git_others': () => 'the repository holds others, whose configuration git follows',
  'permission.git_worktree': () => 'the repository has a configuration for this worktree',
  'permission.git_hook': ({ hook }: Texts<'hook'>) => `the repository has the hook ${hook}`,
  'permission.git_sets': ({ key }: Texts<'key'>) => `the repository's configuration sets ${key}`,
  'permission.quoted_seen': () =>
    'the call stands word for word in a result or file that the model was given, and may only be quoted',
  'permission.quoted_explained': () =>
    'the call stands in the middle of a text, and may only be explained there',
} satisfies Catalogue
