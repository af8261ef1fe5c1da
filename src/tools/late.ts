/**
 * Tools whose code comes later. What a model is told about a tool is text; the code behind it (and zod, which checks
 * the arguments) is needed at the first call, when the server has long been at work. The bundle writes the texts down
 * when it is built (src/build.mjs), so that no start waits for the code.
 */
import type { Tool } from './tool.ts'

/** What is known of a tool without its code. */
export interface ToolFacts extends Pick<Tool, 'name' | 'description' | 'parameters'> {
  hasPreview: boolean
  hasRehearsal: boolean
}

export function factsOf({ name, description, parameters, preview, rehearse }: Tool): ToolFacts {
  return {
    name,
    description,
    parameters,
    hasPreview: preview !== undefined,
    hasRehearsal: rehearse !== undefined,
  }
}

/** The same tool as `load` gives, which is called when something of the tool is done for the first time. */
export function lateTool({ hasPreview, hasRehearsal, ...facts }: ToolFacts, load: () => Tool): Tool {
  return {
    ...facts,
    check: (args, cwd) => load().check(args, cwd),
    access: (args, cwd) => load().access(args, cwd),
    ...(hasPreview && { preview: async (args, context) => load().preview!(args, context) }),
    ...(hasRehearsal && { rehearse: async (calls, context) => load().rehearse!(calls, context) }),
    execute: async (args, context) => load().execute(args, context),
  }
}
