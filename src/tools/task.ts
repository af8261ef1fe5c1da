import * as z from 'zod/mini'
import { ToolError } from '../protocol/errors.ts'
import { defineTool } from './define.ts'
import type { Tool } from './tool.ts'

/** Has an agent work. `agents`: those that there are; they are part of the prefix. */
export const taskTool = (agents: readonly { name: string; description: string }[]): Tool =>
  defineTool({
    name: 'task',
    parameters: z.object({
      agent: z.string(),
      prompt: z.string().check(z.minLength(1), z.describe('all that it has to know')),
    }),
    description: `Have an agent do a part of the work by itself; only its answer comes back. ${agents
      .map(({ name, description }) => `${name}: ${description}`)
      .join(' ')}`,

    access: ({ agent }) => [{ task: agent }],

    async execute(task, context) {
      if (!context.tasks) throw new ToolError('task: an agent cannot have another one work. Do it yourself.')
      return context.tasks.run(task, context)
    },
  })
