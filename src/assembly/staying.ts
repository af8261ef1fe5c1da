/** Commands of the model that go on in the background: loaded where the configuration wants it. */
import type { Source } from '../kit/source.ts'
import { withBackground } from '../tools/background.ts'

export const withStaying = (sources: readonly Source[]): Source[] =>
  sources.map(source =>
    source.from === 'gopi' && source.tools ? { ...source, tools: withBackground(source.tools) } : source,
  )
