/** `import { createSession } from 'gopi'`: a session in a program. */
import { realpath } from 'node:fs/promises'
import type { Approve } from './agent/run.ts'
import { assemble } from './cli/assemble.ts'
import { gopiHome } from './cli/home.ts'
import { defaults } from './config/config.ts'
import { loadConfig, mergeConfig } from './config/load.ts'
import { readInstructions } from './context/instructions.ts'
import { isNear } from './model/host.ts'
import { createOllama } from './model/ollama.ts'
import type { PermissionMode, SessionEvent } from './protocol/events.ts'
import type { Message, ToolCall } from './protocol/messages.ts'
import type { Resume } from './session/open.ts'
import type { RunResult, Session } from './session/session.ts'
import { type CustomTool, customTool } from './tools/custom.ts'
import { builtinTools } from './tools/list.ts'

export type { CustomTool, Message, PermissionMode, RunResult, Session, SessionEvent, ToolCall }

export interface CreateOptions {
  /** The session's directory. Default: the process's. */
  cwd?: string
  /** The shape of config.yaml, merged over the defaults. The user's files are read only if it is omitted. */
  config?: object
  model?: string
  /** Replaces the built-in tools. */
  tools?: CustomTool[]
  /** The id of a session of this directory (a unique prefix is enough), or true for the last one. */
  resume?: string | true
  mode?: PermissionMode
  /** Use the folder's own instructions and configuration. Default false. */
  trust?: boolean
  /** False keeps nothing on disk. */
  journal?: boolean
  /** Asked about every call that would ask a person; without it, such a call is denied. */
  onPermission?(call: ToolCall, why: string): 'allow' | 'deny' | Promise<'allow' | 'deny'>
}

/** Throws `UsageError` for a wrong configuration or a session that is not there. */
export async function createSession(options: CreateOptions = {}): Promise<Session> {
  const env = process.env
  const home = gopiHome(env)
  const cwd = await realpath(options.cwd ?? process.cwd())
  const trusted = options.trust ?? false
  const { config, modelNamed } = await configFor(options, { home, cwd, env, trusted })
  const { onPermission } = options
  const approve: Approve =
    onPermission && (async ({ call, why }) => ({ allow: (await onPermission(call, why)) === 'allow' }))
  return assemble({
    home,
    cwd,
    env,
    config,
    chat: createOllama({ host: config.ollama.host, timeout: config.ollama.timeout }),
    tools: options.tools?.map(customTool) ?? builtinTools(),
    instructions: await readInstructions({ home, cwd, trusted }),
    modelNamed,
    modeNamed: options.mode !== undefined,
    keep: options.journal ?? true,
    ...resumeFor(options),
    prewarm: isNear(config.ollama.host) ? config.ollama.prewarm : 'off',
    approve,
    goOn: async () => false,
    maxTurns: 25,
  })
}

async function configFor(
  { config, model, mode, tools = [] }: CreateOptions,
  place: { home: string; cwd: string; env: NodeJS.ProcessEnv; trusted: boolean },
) {
  if (config === undefined) {
    const flags = { ...(model !== undefined && { model }), ...(mode !== undefined && { mode }) }
    const loaded = await loadConfig({ ...place, flags })
    return { config: loaded.config, modelNamed: loaded.explicit.has('ollama.model') }
  }
  const merged = await mergeConfig(
    config,
    tools.map(({ name }) => name),
  )
  const named = model ?? merged.ollama.model
  return {
    config: {
      ...merged,
      ollama: { ...merged.ollama, model: named },
      permission: { ...merged.permission, mode: mode ?? merged.permission.mode },
    },
    modelNamed: named !== defaults.ollama.model,
  }
}

function resumeFor({ resume }: CreateOptions): { resume?: Resume } {
  if (resume === undefined) return {}
  return { resume: resume === true ? { last: true } : { id: resume } }
}
