/**
 * What can be configured, and what holds when nothing is. The shape is that of config.yaml, with one difference:
 * times are milliseconds here and durations such as `30s` there. Nothing in this file loads a library, so that
 * whoever only needs a default does not wait for the checker.
 */
import type { PermissionMode } from '../protocol/events.ts'
import type { OllamaProvider, OpenAiProvider } from '../protocol/provider.ts'
import type { Thinking } from '../protocol/wire.ts'

export const TOOL_CALLING = ['auto', 'native', 'react', 'json'] as const
export const PREWARM = ['off', 'open', 'type'] as const
export const THEMES = ['dark', 'light', 'system'] as const
export const LANGUAGES = ['auto', 'en', 'zh'] as const
/** The strictest first. */
export const MODES = ['plan', 'ask', 'auto-edit', 'yolo'] as const satisfies readonly PermissionMode[]

export const SANDBOX = ['off', 'auto', 'required'] as const

export interface Sandboxing {
  /** `auto`: where the system has one that holds. `required`: what would run in one is refused without. */
  mode?: (typeof SANDBOX)[number] | undefined
  /** Hosts that commands may reach in the sandbox in which they change the project; `*`: all. */
  network?: string[] | undefined
  /** false: in mode ask, too, commands run unasked in the sandbox where they can change the project only. */
  ask?: boolean | undefined
  /** Megabytes of address space that each process has at most. */
  memory?: number | undefined
  /** So many processes of the person's at once, those outside counted, too. */
  processes?: number | undefined
}

/** A server of models, as it is written: `${NAME}` stands for a variable of the environment in every text. */
export type Provider = OllamaProvider | OpenAiProvider | PoolProvider

/** Servers that have the same models, used as one. */
export interface PoolProvider {
  type: 'pool'
  /** Names of providers, `ollama` among them; none is a pool itself. */
  of: string[]
}

export interface Config {
  ollama: {
    /** As written; Ollama's rules for addresses are applied by who connects. */
    host: string
    model: string
    /** Milliseconds, for connecting and the small endpoints. */
    timeout: number
    tool_calling: (typeof TOOL_CALLING)[number]
    /** As the server takes it: a duration such as `30m`, or -1 for ever. */
    keep_alive: string | -1
    think: Thinking
    prewarm: (typeof PREWARM)[number]
  }
  /** Servers besides the one of `ollama`, by name: their models are called `NAME/MODEL`. */
  providers: Record<string, Provider>
  context: {
    /** Tokens; 0: what the model and the server offer. */
    max_tokens: number
    /** Share of the limit at which old history is summarised. */
    compaction_threshold: number
    /** Messages that a summary leaves as they are. */
    keep_recent: number
  }
  tools: {
    /** Milliseconds. */
    bash_timeout: number
    /** Bytes. */
    bash_max_output: number
    read_max_lines: number
    grep_max_matches: number
    todo: boolean
    git: boolean
    fetch: boolean
    /** Tokens that tools of MCP servers may take of every prompt; the rest is reached by searching. */
    mcp_tokens: number
    /** Commands of the model may go on in the background. */
    background: boolean
  }
  agents: {
    /** The model may have agents work. */
    task: boolean
  }
  permission: {
    mode: PermissionMode
    /** Rules: `Tool` or `Tool(pattern)`. */
    allow: string[]
    ask: string[]
    deny: string[]
    /** Globs of environment variables that commands do not get. */
    env: string[]
  }
  /** A word is short for its mode. */
  sandbox: (typeof SANDBOX)[number] | Sandboxing
  tui: {
    /** One of `THEMES`, or the name of a file in the folder `themes` of gopi's home. */
    theme: string
    show_token_count: boolean
    quiet_startup: boolean
    key_hints: boolean
    side_column: boolean
    language: (typeof LANGUAGES)[number]
    mouse: boolean
    notify: boolean
    /** What a key does instead: action → key. */
    keys: Record<string, string>
  }
  /** Turns in one run; 0: as many as it takes. */
  max_turns: number
  /** Files that the model is told besides AGENTS.md. */
  instructions: string[]
  /** Glob → commands that check what a run changed; `auto`: what the project says of itself is offered. */
  verify: 'auto' | Record<string, string[] | { run: string[]; timeout?: number | null | undefined }>
  extensions: { path: string }[]
  /** Programs that are told of events, by event, as written: `kit/hooks/entries.ts` reads them. */
  hooks: Record<string, unknown>
  /** Servers of tools by name, as written: `mcp/entry.ts` reads them. */
  mcp: Record<string, unknown>
}

/** Frozen, to the last list. */
export const defaults: Config = deepFreeze({
  ollama: {
    host: 'http://localhost:11434',
    model: 'qwen2.5-coder:7b',
    timeout: 120_000,
    tool_calling: 'auto',
    keep_alive: '30m',
    think: 'off',
    prewarm: 'type',
  },
  providers: {},
  context: { max_tokens: 32_768, compaction_threshold: 0.6, keep_recent: 8 },
  tools: {
    bash_timeout: 120_000,
    bash_max_output: 8_192,
    read_max_lines: 500,
    grep_max_matches: 50,
    todo: false,
    git: false,
    fetch: false,
    mcp_tokens: 1_500,
    background: false,
  },
  agents: { task: false },
  permission: { mode: 'ask', allow: [], ask: [], deny: [], env: [] },
  sandbox: 'auto',
  tui: {
    theme: 'dark',
    show_token_count: true,
    quiet_startup: false,
    key_hints: true,
    side_column: true,
    language: 'auto',
    mouse: false,
    notify: true,
    keys: {},
  },
  max_turns: 25,
  instructions: [],
  verify: {},
  extensions: [],
  hooks: {},
  mcp: {},
})

/** Names of models hold no spaces: `qwen3:8b`, `hf.co/user/model:Q4_K_M`. */
export function isModelName(text: string): boolean {
  return /^[^\s\p{Cc}]+$/u.test(text)
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner)
  }
  return Object.freeze(value)
}
