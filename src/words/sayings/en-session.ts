import type { Said } from '../../protocol/sayings.ts'
import type { Catalogue, Texts } from './sayings.ts'

type Where = Texts<'file'>
type Files = { files: readonly string[] }
type Path = Texts<'path'>
/** `why`: what the permission room, or a tool, said. */
type Mention = { path: string; why: Said | string }
/** `detail`: what the model was told about the last of them. */
type Unreadable = { replies: number; detail: string; tools: readonly string[] }

type Ended = { command: string; how: string; stopped?: true }

const howEnded = ({ command, how, stopped }: Ended): string =>
  stopped ? `ended by you: ${command}` : `ended: ${command} (${how})`

type Commands = { commands: readonly string[] }

export const EN_SESSION = {
  turn_limit: ({ turns }: { turns: number }) => `Stopped after ${turns} turns.`,
  'answer.form': ({ problem }: Texts<'problem'>) => `The answer does not follow the schema: ${problem}`,
  talks: ({ replies, detail }: { replies: number; detail: string }) =>
    `The model follows no form of tool calls (its last ${replies} replies could not be read: ${detail}). gopi goes on as a conversation: whole files in code blocks that name their path are offered to you.`,
  length: () =>
    'The reply was cut: the context, or the reply limit, is full. “Go on” asks for the rest, after /compact if the context is full.',
  repeat: ({ tool }: Texts<'tool'>) =>
    `Stopped: the model made the same ${tool} call again and again with the same result.`,
  repeat_pair: ({ tool, other }: Texts<'tool' | 'other'>) =>
    `Stopped: the model made the same two calls (${other}, ${tool}) in turn, again and again with the same results.`,
  repeat_error: ({ tool }: Texts<'tool'>) =>
    `Stopped: the model's ${tool} calls ended in the same error again and again.`,
  repeat_text: ({ text }: Texts<'text'>) => `Stopped: the model said the same again and again: “${text}”`,
  malformed_call: ({ reason }: { reason: Said | string }, say) => say(reason),
  'stream.unreadable': ({ replies, detail, tools }: Unreadable) =>
    `The model's last ${replies} replies could not be read (${detail}). gopi expected plain text or a call of ${tools.join(', ')}; try again, another model, or --tool-calling react.`,
  'internal.bug': ({ problem }: Texts<'problem'>) =>
    `gopi itself failed: ${problem}. Please report it; --debug writes the details to the log.`,
  'internal.no_files': ({ problem }: Texts<'problem'>) =>
    `No more files can be opened (${problem}): close other programs or raise the limit (ulimit -n), then try again.`,
  'internal.system': ({ problem }: Texts<'problem'>) => `gopi cannot go on: ${problem}.`,
  'internal.demo': () => 'The demo server did not start; `gopi demo` shows why.',
  'internal.demo_taken': ({ port }: { port: number }) =>
    `The demo cannot listen on port ${port}: it is taken; name another one, or --port 0 for any free one.`,
  'internal.demo_closed': ({ port, problem }: { port: number; problem: string }) =>
    `The demo cannot listen on port ${port}: ${problem}.`,

  'mention.no_room': ({ path }: Path) => `@${path} was left out: the context has no room for it.`,
  'mention.no_tool': ({ path }: Path) => `@${path} was left out: this session has no tool that reads files.`,
  'mention.no_vision': ({ path }: Path) => `@${path} was left out: this model takes no images.`,
  'mention.denied': ({ path, why }: Mention, say) => `@${path} was left out: ${ended(say(why))}`,
  'mention.failed': ({ path, output }: Texts<'path' | 'output'>) => `@${path} was left out: ${ended(output)}`,
  'mention.asked': ({ path, why }: Mention, say) => `@${path} is in: ${ended(say(why))}`,
  'instructions.cut': ({ files }: Files) =>
    `Instructions were cut, to 8 KB each and 16 KB together: ${files.join(', ')}.`,
  'instructions.link': ({ files }: Files) =>
    `Not read, because an instruction file is never a link: ${files.join(', ')}. Put the text itself there.`,
  'instructions.changed': ({ file }: Where) =>
    `${file} has changed: that takes effect in a new session (/clear).`,
  'trust.instructions': ({ files }: Files) =>
    `This folder is not trusted, so its instructions are not used (${files.join(', ')}); --trust uses them.`,
  'trust.changed': ({ file }: Where) =>
    `${file} has changed since this folder was trusted, so it is not trusted until you are asked again (--trust takes it for this start).`,

  'resume.none': () => 'There is no session of this directory to go on with: this is a new one.',
  'resume.unanswered': ({ id }: Texts<'id'>) =>
    `Passed over: ${id}, where no model was there to answer; gopi --resume ${id} opens it.`,
  'resume.copy': ({ id, process, copy }: { id: string; process: number; copy: string }) =>
    `Session ${id} is open in another gopi (process ${process}): going on in a copy, ${copy}.`,
  'resume.newer': ({ id, copy }: Texts<'id' | 'copy'>) =>
    `Session ${id} was written by a newer gopi: going on in a copy, ${copy}, with what this one understands of it.`,
  no_journal: ({ file, why }: { file: string; why: Said }, say) => `${file} was passed over: ${say(why)}.`,
  'no_journal.kind': () => 'it is no file',
  'no_journal.other': () => 'it belongs to another user',
  'no_journal.too_big': ({ megabytes }: { megabytes: number }) => `it is too big (${megabytes} MB)`,
  'no_journal.unreadable': ({ problem }: Texts<'problem'>) => `it cannot be read (${problem})`,
  'mode.no_yolo': () =>
    'This session ran in mode yolo and comes back in mode ask; --yolo or /mode yolo sets it again.',
  'agent.gone': ({ name }: Texts<'name'>) =>
    `The agent ${name}, who this session was, is not here any more; its limits hold as the journal has them. --agent NAME or /agent chooses another.`,
  'agent.wider': ({ name }: Texts<'name'>) =>
    `The agent ${name} may do more now than when this session was it; here its limits of then hold. --agent ${name} or /agent ${name} takes it as it is now.`,
  journal: ({ lines }: { lines: readonly string[] }) =>
    `Left out damaged lines of the journal: ${lines.join(', ')}.`,
  disk: ({ problem }: Texts<'problem'>) => `The conversation cannot be kept on disk: ${problem}.`,
  'disk.lost': ({ file }: Where) =>
    `${file} was removed, replaced or cut short while gopi kept the conversation in it: it was written anew.`,
  'stray.copy': ({ file, copy }: Texts<'file' | 'copy'>) =>
    `An earlier gopi was ended while it wrote ${file}: what the file held before is in ${copy}.`,
  'compaction.no_summary': () =>
    'The model gave no summary; files, commands and the last messages were kept.',
  'compaction.in_vain': () => 'That saved little: a new session (/clear) would save more.',
  /** `stopped`: by the person. */
  'background.ended': (ended: Ended) =>
    `In the background, ${howEnded(ended)}. The model is told with your next words.`,
  'background.ended_quietly': (ended: Ended) => `In the background, ${howEnded(ended)}.`,
  'shell.left_running': ({ command, process }: { command: string; process: number }) =>
    `still running, started by a command: ${command} (process ${process})`,

  'config.yolo': ({ file }: Where) =>
    `${file}: permission.mode is left out, because a project never sets yolo (you can: --yolo)`,
  'config.untrusted': ({ file, keys }: { file: string; keys: readonly string[] }) =>
    `${file}: ${keys.join(', ')} ${keys.length === 1 ? 'is' : 'are'} left out, because this folder is not trusted: until it is, its file may only tighten permissions (--trust takes it for this start)`,
  /** `problem`: with its file and line. */
  'config.untrusted_problem': ({ problem }: Texts<'problem'>) =>
    `${problem}; gopi goes on without it, because this folder is not trusted`,
  'config.rule_unsaved': ({ problem }: { problem: Said }, say) =>
    `${ended(say(problem))} The rule holds for this session.`,
  'config_file.directory': ({ file }: Where) => `${file}: expected a file, came a directory`,
  'config_file.device': ({ file }: Where) => `${file}: expected a file, came a device, pipe or socket`,
  'config_file.too_big': ({ file, megabytes }: Texts<'file' | 'megabytes'>) =>
    `${file}: expected at most 1 MB, came ${megabytes} MB`,
  'config_file.open_key': ({ file }: Where) =>
    `${file} holds a key that others on this machine can read: chmod 600 it, or name a variable of the environment instead.`,
  'config_file.forbidden': ({ file }: Where) =>
    `${file}: gopi may not read this file; change its permissions or move it`,
  'config_file.encoding': ({ file }: Where) => `${file}: expected UTF-8 text, came other bytes`,
  'config_file.unreadable': ({ file, problem }: Texts<'file' | 'problem'>) =>
    `${file}: this file cannot be read: ${problem}`,
  'config_file.no_list': ({ file }: Where) =>
    `${file}: expected YAML with a list permission.allow; mend it, then rules can be added`,
  'config_file.unwritable': ({ file, problem }: Texts<'file' | 'problem'>) =>
    `${file}: the rule cannot be saved: ${problem}`,
  'verify.runs': ({ commands }: Commands) => `Checking: ${commands.join(', ')}`,
  'verify.passed': () => 'The checks passed.',
  'verify.failed': ({ commands }: Commands) =>
    `Failed: ${commands.join(', ')}. The model is asked to mend it.`,
  'verify.gave_up': ({ commands, times }: Commands & { times: number }) =>
    `Still fails after ${times} tries: ${commands.join(', ')}.`,
  'verify.not_run': ({ command }: Texts<'command'>) => `This check was not allowed to run: ${command}.`,
  'verify.offer': ({ commands }: Commands) =>
    `This project names checks: ${commands.join(', ')}. /verify has them run at the end of each run.`,
} satisfies Catalogue

const ended = (sentence: string): string => sentence.replace(/\.?$/, '.')
