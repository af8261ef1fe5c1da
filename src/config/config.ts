/**
 * What can be configured, and what holds when nothing is. The shape is that of config.yaml, with one difference:
 * times are milliseconds here and durations such as `30s` there. Nothing in this file loads a library, so that
 * whoever only needs a default does not wait for the checker.
 */
import type { PermissionMode } from '../protocol/events.ts'

export const TOOL_CALLING = ['auto', 'native', 'react', 'json'] as const
export const THINK = ['off', 'on', 'low', 'medium', 'high', 'max'] as const
export const PREWARM = ['off', 'open', 'type'] as const
export const THEMES = ['dark', 'light', 'system'] as const
export const LANGUAGES = ['auto', 'en', 'zh'] as const
/** The strictest first. */
export const MODES = ['plan', 'ask', 'auto-edit', 'yolo'] as const satisfies readonly PermissionMode[]

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
    think: (typeof THINK)[number]
    prewarm: (typeof PREWARM)[number]
  }
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
  tui: {
    theme: (typeof THEMES)[number]
    show_token_count: boolean
    quiet_startup: boolean
    language: (typeof LANGUAGES)[number]
    mouse: boolean
    notify: boolean
    /** What a key does instead: action → key. */
    keys: Record<string, string>
  }
  extensions: { path: string }[]
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
  context: { max_tokens: 32_768, compaction_threshold: 0.6, keep_recent: 8 },
  tools: {
    bash_timeout: 30_000,
    bash_max_output: 8_192,
    read_max_lines: 500,
    grep_max_matches: 50,
    todo: false,
  },
  permission: { mode: 'ask', allow: [], ask: [], deny: [], env: [] },
  tui: {
    theme: 'dark',
    show_token_count: true,
    quiet_startup: false,
    language: 'auto',
    mouse: false,
    notify: true,
    keys: {},
  },
  extensions: [],
})

/** Names of models hold no blanks: `qwen3:8b`, `hf.co/user/model:Q4_K_M`. */
export function isModelName(text: string): boolean {
  return /^[^\s\p{Cc}]+$/u.test(text)
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner)
  }
  return Object.freeze(value)
}
