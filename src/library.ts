/** `import { createSession } from 'gopi'`: a session in a program. */
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import type { Approve } from './agent/run.ts'
import { start } from './assembly/start.ts'
import { defaults } from './config/config.ts'
import { gopiHome } from './config/home.ts'
import { loadConfig, mergeConfig } from './config/load.ts'
import { turnLimit } from './config/turn-limit.ts'
import { builtin } from './kit/builtin.ts'
import { folderSources } from './kit/folders/folders.ts'
import type { PermissionMode, SessionEvent } from './protocol/events.ts'
import type { Message, ToolCall } from './protocol/messages.ts'
import type { Resume } from './session/open.ts'
import type { RunResult, Session } from './session/session.ts'
import type { CustomTool } from './tools/custom.ts'
import { builtinTools } from './tools/list.ts'
import type { Tool } from './tools/tool.ts'

export type { Extension, ExtensionCommand, Gopi } from './kit/extensions/api.ts'
export type { CustomTool, Message, PermissionMode, RunResult, Session, SessionEvent, Tool, ToolCall }
export { builtinTools }

export interface CreateOptions {
  /** The session's directory. Default: the process's. */
  cwd?: string
  /** The shape of config.yaml, merged over the defaults. The user's files are read only if it is omitted. */
  config?: object
  model?: string
  /** Replaces the built-in tools; `builtinTools()` are these. */
  tools?: readonly (CustomTool | Tool)[]
  /** Added to them. One with the name of another takes its place. */
  extraTools?: readonly (CustomTool | Tool)[]
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
  const place = { home, cwd, trusted, person: env.HOME ?? homedir() }
  const { config, modelNamed, profiles } = await configFor(options, { home, cwd, env, trusted })
  const { onPermission, tools, extraTools } = options
  const approve: Approve =
    onPermission && (async ({ call, why }) => ({ allow: (await onPermission(call, why)) === 'allow' }))
  const { session } = await start({
    home,
    cwd,
    env,
    trusted,
    config,
    ...(profiles && { profiles }),
    sources: [
      tools ? { from: 'the program', tools: await asTools(tools) } : builtin(config.tools),
      ...(options.config === undefined
        ? await folderSources({ ...place, deny: config.permission.deny })
        : []),
      ...(extraTools ? [{ from: 'the program', tools: await asTools(extraTools) }] : []),
    ],
    modelNamed,
    modeNamed: options.mode !== undefined,
    keep: options.journal ?? true,
    ...resumeFor(options),
    approve,
    goOn: async () => false,
    maxTurns: turnLimit(config),
  })
  return session
}

/** The checker of schemas is loaded for those who bring some. */
async function asTools(given: readonly (CustomTool | Tool)[]): Promise<Tool[]> {
  const made = given.map(async tool => {
    if ('access' in tool) return tool
    const { customTool } = await import('./tools/custom.ts')
    return customTool(tool)
  })
  return Promise.all(made)
}

async function configFor(
  { config, model, mode, tools = [] }: CreateOptions,
  place: { home: string; cwd: string; env: NodeJS.ProcessEnv; trusted: boolean },
) {
  if (config === undefined) {
    const flags = { ...(model !== undefined && { model }), ...(mode !== undefined && { mode }) }
    const loaded = await loadConfig({ ...place, flags })
    const profiles = { own: loaded.profiles, explicit: loaded.explicit }
    return { config: loaded.config, modelNamed: loaded.explicit.has('ollama.model'), profiles }
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
    profiles: undefined,
  }
}

function resumeFor({ resume }: CreateOptions): { resume?: Resume } {
  if (resume === undefined) return {}
  return { resume: resume === true ? { last: true } : { id: resume } }
}
