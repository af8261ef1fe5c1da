/** `bash` with commands that go on in the background, and the two tools that read and end them. */
import * as z from 'zod/mini'
import { ToolError } from '../protocol/errors.ts'
import { bash } from './bash.ts'
import { bindWrites } from './bound.ts'
import { defineTool } from './define.ts'
import type { Tool, ToolContext } from './tool.ts'

function find(id: string, { background }: ToolContext) {
  const job = background.find(id)
  if (job) return job
  throw new ToolError(`There is no command ${id}; there are: ${background.ids.join(', ') || 'none'}.`)
}

const inBackground = defineTool({
  name: 'bash',
  parameters: z.object({
    command: z.string().check(z.minLength(1)),
    timeout: z.optional(z.number().check(z.positive(), z.maximum(600), z.describe('seconds'))),
    background: z.optional(z.boolean().check(z.describe('returns at once with an id; for servers'))),
  }),
  description: bash.description,

  access: ({ command, background }) => [{ run: command, ...(background && { stays: true as const }) }],

  async execute({ command }, context) {
    const { background, runs, where, writes } = context
    const bound = writes && (await bindWrites(command, writes))
    const id = await background.start(command, { line: runs ?? bound?.command, where })
    void background.find(id)?.over.then(bound?.end)
    return { output: `${id} runs in the background.`, details: { command, id } }
  },
})

/** In the foreground it is the tool that it always is. */
const inBoth = (foreground: Tool): Tool => ({
  ...inBackground,
  preview: async (args, context) =>
    (await foreground.preview?.(args, context)) ?? { type: 'text', text: JSON.stringify(args) },
  execute({ background, ...args }, context) {
    return background
      ? inBackground.execute({ ...args, background }, context)
      : foreground.execute(args, context)
  },
})

const bashOutput = defineTool({
  name: 'bash_output',
  parameters: z.object({
    id: z.string(),
    wait: z.optional(
      z.number().check(z.minimum(0), z.maximum(600), z.describe('seconds to wait for something new')),
    ),
  }),
  description: 'Read what a background command has written since you last looked.',
  narrow: 'It goes on writing.',

  access: () => [{ none: true }],

  async execute({ id, wait = 0 }, context) {
    const job = find(id, context)
    const { output, dropped } = await job.read(wait * 1000, context.signal)
    const lines = [
      ...(dropped > 0 ? [`(${dropped} earlier characters are lost.)`] : []),
      output.trimEnd() || '(nothing new)',
      job.ended ?? '(It still runs.)',
    ]
    return { output: lines.join('\n') }
  },
})

const bashKill = defineTool({
  name: 'bash_kill',
  parameters: z.object({ id: z.string() }),
  description: 'End a background command.',

  access: () => [{ none: true }],

  async execute({ id }, context) {
    await find(id, context).kill()
    return { output: `${id} has ended.` }
  },
})

/** gopi's own tools with the background in them: `bash` keeps its place. */
export const withBackground = (tools: readonly Tool[]): Tool[] =>
  tools.some(({ name }) => name === 'bash')
    ? [...tools.map(tool => (tool.name === 'bash' ? inBoth(tool) : tool)), bashOutput, bashKill]
    : [...tools]
