/** What gopi itself brings: a source like any other. */
import { builtinTools, type OptionalTools } from '../tools/list.ts'
import type { Source } from './source.ts'

export const builtin = (options: OptionalTools = {}): Source => ({
  from: 'gopi',
  tools: builtinTools(options),
  async commands(kit) {
    const [{ BUILT_IN }, { kitCommand }] = await Promise.all([
      import('./commands/table.ts'),
      import('./commands/kit.ts'),
    ])
    return [...BUILT_IN, kitCommand(kit)]
  },
})
