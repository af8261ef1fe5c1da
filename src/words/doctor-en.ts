/** What `gopi doctor` says, loaded with it only. Facts that are `Said` are sentences of the other catalogues. */
import type { Said } from '../protocol/sayings.ts'
import { count, diskSize, plural, size } from '../text/truncate.ts'
import type { Catalogue, Say, Texts } from './sayings/sayings.ts'

const tokens = (count: number): string => `${count.toLocaleString('en')} tokens`

/** What the model was asked about: the context in tokens, memory in bytes. */
export interface Need {
  context: number
  needs: number
  free: number
}

export const DOCTOR_EN = {
  said: ({ what }: { what: Said }, say: Say) => say(what),

  'server.answers': ({ host }: Texts<'host'>) => `Ollama answers at ${host}`,
  'version.known': ({ version }: Texts<'version'>) => version,
  'model.there': (
    { model, why, bytes }: Texts<'model'> & { why: Said; bytes: number | undefined },
    say: Say,
  ) => `${model}${bytes === undefined ? '' : `, ${diskSize(bytes)}`} (${say(why)})`,
  'model.flag': () => 'named on the command line',
  'model.environment': () => 'from the environment',
  'model.file': () => 'from config.yaml',
  'model.default': () => 'the default',
  'model.instead': () => 'in its place',
  'abilities.list': ({ list }: { list: readonly string[] }) => list.join(', '),
  'abilities.untold': () => 'the server does not say what the model can do',
  'dialect.native': () => 'native: the model calls tools by Ollama’s own protocol',
  'dialect.react': () =>
    'react: the model takes no tools from Ollama, so gopi reads its calls from text; a model with tools is faster and surer',
  'dialect.forced': ({ name }: Texts<'name'>) => `${name}, as ollama.tool_calling says`,
  'context.asked': ({ context }: { context: number }) => tokens(context),
  'context.trained': ({ context, wanted }: { context: number; wanted: number }) =>
    `${tokens(context)}, all that the model was trained for (context.max_tokens is ${count(wanted)})`,
  'context.other': ({ has, context }: { has: number; context: number }) =>
    `the model is loaded with ${tokens(has)}, and gopi will ask for ${tokens(context)}: it is loaded anew with the first prompt`,
  'memory.fits': ({ context, needs, free }: Need) =>
    `${tokens(context)} of context need about ${size(needs)} with the model, ${size(free)} are free`,
  'memory.tight': ({ context, needs, free, fits }: Need & { fits: number }) =>
    `${tokens(context)} of context need about ${size(needs)} with the model, ${size(free)} are free: ${tokens(fits)} fit; set context.max_tokens to ${fits}, or start the server with OLLAMA_FLASH_ATTENTION=1 and OLLAMA_KV_CACHE_TYPE=q8_0, which halves what the context takes`,
  'memory.small': ({ needs, free }: Need) =>
    `the model needs about ${size(needs)}, ${size(free)} are free: close other programs or choose a smaller model`,
  'memory.gpu': ({ bytes }: { bytes: number }) => `loaded, ${size(bytes)}, all of it on the GPU`,
  'memory.cpu': ({ bytes }: { bytes: number }) =>
    `loaded, ${size(bytes)}, on the CPU alone, which is slow: a smaller model helps; if there is a GPU, the log of Ollama says why it is not used`,
  'memory.partly': ({ bytes, percent }: { bytes: number; percent: number }) =>
    `loaded, ${size(bytes)}, ${percent} % of it on the CPU: a smaller context (context.max_tokens) or model would fit the GPU, and so may OLLAMA_FLASH_ATTENTION=1 with OLLAMA_KV_CACHE_TYPE=q8_0 for the server`,
  'keep_alive.for': ({ time }: Texts<'time'>) => `the model stays loaded for ${time} after a request`,
  'keep_alive.ever': () => 'the model stays loaded for ever',
  'keep_alive.short': ({ time }: Texts<'time'>) =>
    `the model stays loaded for ${time} only: after a pause it is loaded and read anew; raise ollama.keep_alive`,
  'speed.measured': ({ prefill, decode }: { prefill: number; decode: number }) =>
    `reads ${count(prefill)} tokens/s, writes ${decode} tokens/s`,
  'speed.slow': ({ prefill, decode }: { prefill: number; decode: number }) =>
    `reads ${count(prefill)} tokens/s, writes ${decode} tokens/s: a smaller model would make gopi quicker`,

  'program.found': ({ version, file }: Texts<'version' | 'file'>) => `${version} (${file})`,
  'bash.missing': () => 'there is no bash on PATH: gopi runs commands in it; install it',
  'bash.old': ({ version }: Texts<'version'>) => `${version} is too old: gopi needs 3.2 or newer`,
  'git.missing': () =>
    'there is no git on PATH: gopi works without, and cannot tell the model about the repository',
  'ripgrep.missing': () =>
    'there is no rg on PATH: gopi searches by itself, which takes several times as long',
  'sandbox.holds': ({ hidden, kept, hosts }: { hidden: number; kept: number; hosts: string }) =>
    `it holds: commands in it ${hosts === '' ? 'have no network' : hosts === '*' ? 'reach every host where they can change the project' : `reach only ${hosts} where they can change the project, and no network elsewhere`}, cannot see other processes${hidden === 0 ? '' : ` or ${plural(hidden, 'secret place')}`}${kept === 0 ? '' : `, and cannot change ${plural(kept, 'protected file')} of the project`}`,
  'sandbox.off': () => 'off, as the configuration says',
  'sandbox.none': ({ why }: Texts<'why'>) =>
    `none (${why}): commands that only read or work in the project ask, too`,
  'sandbox.required': ({ why }: Texts<'why'>) =>
    `none (${why}), and the configuration requires one: what would run in it is refused`,
  'terminal.none': () => 'this is no terminal: gopi works line by line here',
  'terminal.dumb': ({ name }: Texts<'name'>) => `TERM is ${name || 'not set'}: gopi works line by line here`,
  'terminal.good': ({
    name,
    colours,
    columns,
    rows,
  }: Texts<'name' | 'colours'> & { columns: number; rows: number }) =>
    `${name}, ${colours}, ${columns} × ${rows}`,
  'terminal.narrow': ({ columns, rows }: { columns: number; rows: number }) =>
    `${columns} × ${rows} is small: 60 × 15 or more shows whole dialogs`,
  'config.files': ({ files }: { files: readonly string[] }) => files.join(', '),
  'config.defaults': () => 'defaults; no file of yours',
  'home.private': ({ home }: Texts<'home'>) => `${home} is yours alone`,
  'home.none': ({ home }: Texts<'home'>) => `${home} is not there yet`,
  'home.problem': ({ problem }: Texts<'problem'>) => problem,
  'trust.yes': () => 'this folder is trusted',
  'trust.none': () => 'this folder has no instructions or configuration to be trusted',
  'trust.no': ({ files }: { files: readonly string[] }) =>
    `not trusted, so ${files.join(', ')} is left out; gopi asks when you open a conversation here`,
} satisfies Catalogue

export const SUBJECTS_EN = {
  server: 'server',
  version: 'version',
  model: 'model',
  abilities: 'abilities',
  dialect: 'tool calls',
  context: 'context',
  memory: 'memory',
  keep_alive: 'keep-alive',
  speed: 'speed',
  bash: 'bash',
  git: 'git',
  ripgrep: 'ripgrep',
  sandbox: 'sandbox',
  terminal: 'terminal',
  config: 'config',
  home: 'files',
  trust: 'trust',
  levels: { ok: 'ok', warn: 'warn', fail: 'fail' },
}
