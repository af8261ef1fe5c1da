/** What `gopi config`, `models`, `sessions`, `mcp` and `demo` print, loaded with them only. */
import { count, plural } from '../text/truncate.ts'

export const REPORTS_EN = {
  config: {
    head: 'Defaults, then these files, the environment and flags; later ones win:',
    /** Of a file. */
    absent: 'not there',
    /** Where a value comes from. */
    from: {
      default: 'default',
      user: 'user',
      project: 'project',
      environment: 'environment',
      flag: 'flag',
      caller: 'caller',
    },
    same: (file: string) => `${file} says so already.`,
    written: (file: string) => `Written to ${file}.`,
  },
  models: {
    none: (model: string) => `No model is installed; \`ollama pull ${model}\` gets one.`,
    context: (tokens: string) => `context ${tokens}`,
    loaded: 'loaded',
    fits: 'fits',
    tooBig: 'too big',
    fitsWith: (tokens: string) => `fits with ${tokens}`,
    can: 'can',
    trained: 'trained context',
    untold: 'not told by the server',
    unset: 'none',
    modelsOwn: 'the model’s own',
    builtIn: 'built in',
    /** What is known of a family of models, which is worded with it. */
    family: (why: string): string => why,
  },
  sessions: {
    none: 'There is no session of this directory yet.',
    noneAtAll: 'There is no session yet.',
    noSuch: 'There is no such session; nothing was deleted.',
    one: (id: string) => `session ${id}`,
    several: (sessions: number) => plural(sessions, 'session'),
    sure: (what: string) => `Delete ${what} for good? (y/n) `,
    deleted: (sessions: number) => `Deleted ${plural(sessions, 'session')}.`,
    isOpen: (id: string, process: number) =>
      `Session ${id} is open in another gopi (process ${process}): it stays.`,
  },
  mcp: {
    none: 'No MCP server is configured; gopi mcp add NAME -- COMMAND… writes one down.',
    unseen: 'not seen yet',
    /** Why one cannot be used, as it was worded where that was found. */
    dead: (name: string, why: string) => `${name}: ${why}`,
    tools: (tools: number, tokens: number) => `${tools} tools (${tokens} tokens)`,
    ready: (ms: number, tools: string) => `ready in ${ms} ms; ${tools}`,
    onlyReads: 'only reads, it says',
    prompt: 'prompt',
    resources: 'resources',
    tryIt: (name: string) => `gopi mcp test ${name} tries it.`,
  },
  demo: {
    serves: (host: string) =>
      `gopi's demo (a script, no language model) answers as Ollama does at ${host} until Ctrl+C.`,
    tryIt: (host: string) => `Try: OLLAMA_HOST=${host} gopi`,
    aborted: 'aborted',
    loaded: 'model loaded',
    seconds: (seconds: string) => `${seconds} s`,
    /** Of a chat. */
    prompt: (tokens: number, cached: number, read: number) =>
      `${count(tokens)} prompt tokens, ${count(cached)} cached, ${count(read)} read`,
    generated: (tokens: number) => `${count(tokens)} generated`,
    /** A request, and what came of it. */
    line: (head: string, facts: readonly string[]) => `${head}: ${facts.join('; ')}`,
  },
}

export type Reports = typeof REPORTS_EN
