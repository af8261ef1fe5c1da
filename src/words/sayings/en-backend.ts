import type { Said } from '../../protocol/sayings.ts'
import { toldDuration } from './duration.ts'
import type { Catalogue, Texts } from './sayings.ts'

/** Foreign words in these sentences are one bounded line. */

/** `provider`: the name of a server that is no Ollama, as the configuration calls it. */
type At = Texts<'host'> & { provider?: string }
/** `why`: Node's code, or its words. */
type Broken = At & Texts<'why'>
/** In milliseconds, as all times are. */
type Late = At & { timeout: number }
export type Page = At & { status: number; title: string | undefined }
/** `detail`, what came: its words, so many bytes, or so many milliseconds in which nothing came. */
export type Fault = At & { detail: string | number }
/** `reason`: why a server does not go on. */
type Gone = { reason: Said | string }
type OfModel = Texts<'model'>
type Missing = At & Texts<'model'> & { nearest: readonly string[] }
export type Silent = At & Texts<'model'> & { silence: number }

/** An answer with an error. */
export interface Refused extends At {
  /** undefined: said in the middle of a stream. */
  status: number | undefined
  /** The server's own. */
  words: string
  model: string | undefined
  /** Where one can sign in. */
  address?: string | undefined
}

const START =
  'start it with "ollama serve", install it from https://ollama.com/download, or try gopi without it: gopi --demo'
const who = ({ host, provider }: At): string =>
  provider === undefined ? `Ollama at ${host}` : `The server at ${host}`
const whoInside = (it: At): string => (it.provider === undefined ? who(it) : `the server at ${it.host}`)
const check = ({ provider }: At): string =>
  provider === undefined
    ? 'check --host, ollama.host or OLLAMA_HOST'
    : `check providers.${provider} in the configuration`
const wait = (it: At): string =>
  it.provider === undefined
    ? `${check(it)}, restart Ollama, or raise ollama.timeout`
    : `${check(it)}, or raise its timeout`
const name = ({ provider }: At): string => (provider === undefined ? 'Ollama' : 'the server')
const start = ({ provider }: At): string => (provider === undefined ? START : 'start it')
const look = (it: At): string => `look whether ${name(it)} still runs (its log says why), then ask again`
const AGAIN = 'ask again, and if it happens again look into its log'

const quoted = (words: string | number): string => `"${words}"`
const tokens = (count: number): string => count.toLocaleString('en')

const named = ({ model }: Pick<Refused, 'model'>): string =>
  model === undefined ? 'the model' : quoted(model)

const said = ({ status, words }: Pick<Refused, 'status' | 'words'>): string =>
  [status, words === '' ? undefined : quoted(words)].filter(part => part !== undefined).join(': ')

/** What it means and what to do stands after the server and its words. */
const refused =
  (advice: (facts: Refused) => string) =>
  (facts: Refused): string =>
    `${who(facts)} answered with an error (${said(facts)}): ${advice(facts)}.`

const page = ({ status, title, ...at }: Page): string =>
  `${at.host} answered ${status} with a web page${title === undefined ? '' : ` (${quoted(title)})`} instead of JSON: another program or a proxy stands there; ${check(at)}.`

const fault =
  (what: (detail: string | number) => string) =>
  ({ detail, ...at }: Fault): string =>
    `${who(at)} ${what(detail)}: ${AGAIN}.`

const silence =
  (why: (model: string) => string) =>
  ({ host, model, silence }: Silent): string =>
    `Nothing has come from ${host} for ${toldDuration(silence)}; ${why(quoted(model))}: keep waiting, or interrupt.`

export const EN_BACKEND = {
  'host.overheard': ({ host }: At) =>
    `${host} is far away and reached over plain http: everybody on the way can read the conversation and your files. Use https, or a tunnel.`,
  'host.open_key': ({ host }: At) =>
    `The key for ${host} goes there over plain http: everybody on the way can read and use it. Use https, or a tunnel.`,
  'no_server.refused': ({ why, ...at }: Broken) =>
    `No ${at.provider === undefined ? 'Ollama' : 'server'} answers at ${at.host} (${why}): ${at.provider === undefined ? START : `start it, or ${check(at)}`}.`,
  'no_server.no_such_name': ({ why, ...at }: Broken) =>
    `The name in ${at.host} leads to no address (${why}): ${check(at)}, and the network.`,
  'no_server.no_tls': ({ host, why }: Broken) =>
    `No secure connection to ${host} could be made (${why}): use http:// if it speaks no TLS, or name its certificate authority in NODE_EXTRA_CA_CERTS.`,
  'no_server.no_certificates': ({ host, why }: Broken) =>
    `The certificates for ${host} cannot be read (${why}): look at its \`ca\` in the configuration.`,
  'no_server.no_http': ({ why, ...at }: Broken) =>
    `What listens at ${at.host} does not speak HTTP (${why}): ${check(at)}.`,
  'no_server.unreachable': ({ why, ...at }: Broken) =>
    `No connection to ${at.host} could be made (${why}): check the network, or ${start(at)}.`,
  'stream.broke_waiting': ({ why, ...at }: Broken) =>
    `The connection to ${whoInside(at)} broke before it answered (${why}): ${look(at)}.`,
  'stream.broke_reading': ({ why, ...at }: Broken) =>
    `The connection to ${whoInside(at)} broke in the middle of the answer (${why}): ${look(at)}.`,
  'no_server.connect_timeout': ({ timeout, ...at }: Late) =>
    `${who(at)} could not be reached within ${toldDuration(timeout)}: ${wait(at)}.`,
  'no_server.answer_timeout': ({ timeout, ...at }: Late) =>
    `${who(at)} took the connection but did not answer within ${toldDuration(timeout)}: ${wait(at)}.`,
  'no_server.no_address': (at: At) =>
    `${quoted(at.host)} is no address of a server: ${check(at)}, for example ${at.provider === undefined ? 'http://localhost:11434' : 'http://localhost:8000/v1'}.`,
  'no_server.redirect': ({ status, target, ...at }: At & { status: number; target: string | undefined }) =>
    `${at.host} redirects ${target === undefined ? 'elsewhere' : `to ${quoted(target)}`} (${status}), which gopi does not follow: ${check(at)}.`,
  'no_server.page': page,
  'stream.page': page,
  'stream.empty': fault(() => 'answered with nothing where JSON was expected'),
  'stream.unfinished': fault(() => 'ended its answer without the final record'),
  'stream.cut_line': fault(() => 'broke its answer off in the middle of a line'),
  'stream.no_json': fault(line => `sent ${quoted(line)} where a JSON object was expected`),
  'stream.too_long': fault(bytes => `sent a line of more than ${bytes} bytes without an end`),
  'stream.encoded': fault(
    encoding => `answered in the encoding ${quoted(encoding)}, which was not asked for`,
  ),
  'stream.wrong_kind': fault(detail => `sent an answer that cannot be read (${detail})`),
  'stream.gone': fault(
    ms => `sent nothing for ${toldDuration(Number(ms))} and no longer has the model loaded`,
  ),
  'stream.unreadable_call': ({ host, detail }: Fault) =>
    `The model at ${host} wrote a tool call that cannot be read (${detail}): ask again.`,
  'no_server.stranger': ({ words, ...at }: At & Texts<'words'>) =>
    `What listens at ${at.host} does not answer as ${at.provider === undefined ? 'Ollama' : 'an OpenAI-compatible server'} does (${quoted(words)}): ${check(at)}.`,
  'no_model.missing': ({ host, model, nearest }: Missing) => {
    const choice =
      nearest.length === 0 ? '' : `, or choose another with --model (installed: ${nearest.join(', ')})`
    return `Ollama at ${host} has no model "${model}": get it with "ollama pull ${model}"${choice}.`
  },

  'no_tools.refused': refused(
    it => `${named(it)} takes no tools from ${name(it)}; use --tool-calling react or json, or another model`,
  ),
  'stream.no_thinking': refused(it => `${named(it)} cannot think on request; use --think off`),
  'no_model.no_chat': refused(
    it => `${named(it)} is no model for conversations; choose another with --model`,
  ),
  'no_model.not_found': refused(
    ({ model = 'NAME' }) => `get it with "ollama pull ${model}", or choose another with --model`,
  ),
  'context.full': refused(
    it =>
      `the conversation no longer fits into the context of ${named(it)}; compact it, start a new session, or raise context.max_tokens`,
  ),
  'memory.full': refused(
    it =>
      `${named(it)} does not fit into the memory; close other programs, lower context.max_tokens, or choose a smaller model`,
  ),
  'stream.runner_died': refused(
    it =>
      `the process that runs ${named(it)} died; ask again (Ollama starts it anew), and if it dies again look into Ollama's log`,
  ),
  'stream.call_unread': refused(
    it => `${named(it)} wrote a tool call that ${name(it)} could not read; ask again`,
  ),
  'no_model.no_cloud': refused(
    it =>
      `${named(it)} runs in Ollama's cloud; choose a local model, or start Ollama without OLLAMA_NO_CLOUD`,
  ),
  'no_server.signin': refused(({ address }) =>
    address === undefined
      ? 'sign in with "ollama signin", set OLLAMA_API_KEY, or put user and password into ollama.host'
      : `sign in with "ollama signin" or at ${address}`,
  ),
  'no_server.local_names': refused(
    () => 'it answers to local names only; use its IP address, or let it listen with OLLAMA_HOST=0.0.0.0',
  ),
  'no_model.not_open': refused(
    it => `${named(it)} is not open to you; check your account, or choose another with --model`,
  ),
  'no_server.not_ollama': refused(it => `this is not Ollama's interface; ${check(it)}`),
  'busy.busy': refused(() => 'it has too much to do; wait a little and ask again'),
  'busy.gateway': refused(
    () => 'something between gopi and the model cannot reach it; wait a little and ask again',
  ),
  'stream.unknown': refused(() => AGAIN),
  'no_server.no_key': refused(
    ({ provider }) => `set a key that it accepts: providers.${provider}.api_key, such as \${OPENAI_API_KEY}`,
  ),
  'no_server.unpaid': refused(
    () => 'the account that the key belongs to has to be paid up, or choose another server',
  ),
  'no_server.no_chat': refused(
    it => `nothing there speaks chat completions; ${check(it)} (base_url usually ends in /v1)`,
  ),
  'no_model.unknown': refused(
    it => `${named(it)} is not there; choose another with --model ("gopi models" lists them)`,
  ),
  'context.too_large': refused(
    () => 'the request is larger than it takes; compact the conversation, or start a new session',
  ),
  'busy.rate': refused(() => 'you have asked more than it allows; wait a little and ask again'),

  'no_model.no_such_model': ({ host, model = '' }: Refused) =>
    `Ollama at ${host} can get no model "${model}": there is none of that name, or it may not be had; https://ollama.com/library lists what there is.`,
  'no_model.no_name': refused(
    it => `${named(it)} is no name of a model, as qwen3:8b is one; choose another with --model`,
  ),
  'no_model.newer_ollama': refused(
    it => `${named(it)} needs a newer Ollama; get it from https://ollama.com/download`,
  ),
  'disk.full': refused(
    it =>
      `there is no room for ${named(it)} where Ollama keeps its models (OLLAMA_MODELS, usually ~/.ollama/models); make room, and it goes on from where it was, or choose a smaller model`,
  ),
  'stream.damaged': refused(() => 'what came is not what was sent; get it once more'),
  'busy.no_library': refused(
    () =>
      'it cannot reach the place that models come from; check the network of the machine that it runs on (a proxy is set with HTTPS_PROXY for ollama serve), then get it again: what has come stays',
  ),

  retry: ({ wait, ...answer }: Refused & { wait: number }) =>
    `${who(answer)} cannot answer now (${said(answer)}); asking again in ${toldDuration(wait)}.`,
  'silence.loaded': silence(
    model => `${model} is loaded there, so it is still reading the prompt or writing a tool call`,
  ),
  'silence.not_loaded': silence(
    model => `${model} is not loaded there, so it is still being loaded or waits for room`,
  ),
  'silence.untold': silence(() => 'and it does not say what it has loaded'),
  'server_version.truncates': ({ version }: Texts<'version'>) =>
    `Ollama ${version} cuts a conversation that is too long without a word: update it to 0.12.6 or newer (https://ollama.com/download).`,
  'context.smaller': ({ model, has, wanted }: OfModel & { has: number; wanted: number }) =>
    `${model} runs with a context of ${tokens(has)} tokens instead of the ${tokens(wanted)} that gopi asked ` +
    `for: set context.max_tokens to ${has}, or free memory and restart the model (ollama stop ${model}).`,
  'context.untold': ({ model, provider, used }: OfModel & Texts<'provider'> & { used: number }) =>
    `${provider} does not tell how long a conversation with ${model} may be: gopi takes ${tokens(used)} tokens; ` +
    `say it in providers.${provider}.models as in {"${model}": {context: 131072}}.`,
  'context.cpu': ({ model }: OfModel) =>
    `${model} runs on the CPU alone, which is slow: a smaller model helps; if there is a GPU, the log of Ollama says ` +
    'why it is not used.',
  'context.partly_cpu': ({ model, percent }: OfModel & { percent: number }) =>
    `${percent} % of ${model} runs on the CPU: a smaller context (context.max_tokens) or a smaller model would fit the GPU, ` +
    'and so may OLLAMA_FLASH_ATTENTION=1 with OLLAMA_KV_CACHE_TYPE=q8_0 for the server.',

  'miss.tools': () => 'gopi changed the tools: everything from there on was read again',
  'miss.system': () => 'gopi changed the system message: everything from there on was read again',
  'miss.message': ({ index, role }: { index: number; role: string }) =>
    `gopi changed message ${index} (${role}): everything from there on was read again`,
  'miss.reloaded': () => 'the model was loaded anew: the server had forgotten the conversation',
  'miss.besides': () => 'a side conversation used the model in between: the server read this one again',
  'miss.unknown': () =>
    'the server read the conversation again: something else may have used the model in between',

  'model.substitute': ({ wanted, used }: Texts<'wanted' | 'used'>) =>
    `${wanted} is not installed; using ${used}.`,
  'model.changed': ({ before, model, tokens: read }: Texts<'before' | 'model'> & { tokens: number }) =>
    `${model} goes on where ${before} was: it has to read the conversation so far, about ${tokens(read)} tokens.`,
  'model.gone': ({ model }: OfModel) =>
    `${model}, the model of this session so far, is not installed any more; going on with another.`,
  'no_model.other_provider': ({ model, provider }: Texts<'model' | 'provider'>) =>
    `${model} is no model of the provider ${provider}: name it as ${provider}/MODEL.`,
  'pool.moved': ({ reason, name }: Gone & Texts<'name'>, say) => `${say(reason)} Going on with ${name}.`,
  'pool.midway': ({ reason }: Gone, say) =>
    `${say(reason)} What was said is kept: another server of the pool goes on from there.`,
  'no_tools.from_text': ({ model }: OfModel) =>
    `${model} has no tool calling of its own; gopi reads its calls from text (react).`,
  no_thinking: ({ model }: OfModel) => `${model} cannot think aloud; going on without.`,
} satisfies Catalogue
