/**
 * Tools whose code comes later. What a model is told about a tool is text; the code behind it (and zod, which checks
 * the arguments) is needed at the first call, when the server has long been at work. The bundle writes the texts down
 * when it is built (src/build.mjs), so that no start waits for the code.
 */
import type { Tool } from './tool.ts'

/** What is known of a tool without its code. */
export interface ToolFacts extends Pick<Tool, 'name' | 'description' | 'parameters' | 'kind'> {
  hasLane: boolean
  hasPreview: boolean
}

export function factsOf({ name, description, parameters, kind, lane, preview }: Tool): ToolFacts {
  return {
    name,
    description,
    parameters,
    kind,
    hasLane: lane !== undefined,
    hasPreview: preview !== undefined,
  }
}

/** The same tool as `load` gives, which is called when something of the tool is done for the first time. */
export function lateTool({ hasLane, hasPreview, ...facts }: ToolFacts, load: () => Tool): Tool {
  return {
    ...facts,
    check: args => load().check(args),
    ...(hasLane && { lane: (args, cwd) => load().lane?.(args, cwd) }),
    ...(hasPreview && { preview: async (args, context) => load().preview!(args, context) }),
    execute: async (args, context) => load().execute(args, context),
  }
}
