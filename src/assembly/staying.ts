/** Commands of the model that go on in the background: loaded where the configuration wants it. */
import type { Source } from '../kit/source.ts'
import { Background, type BackgroundOptions } from '../shell/background.ts'
import { withBackground } from '../tools/background.ts'

export const withStaying = (sources: readonly Source[]): Source[] =>
  sources.map(source => ({ ...source, ...(source.tools && { tools: withBackground(source.tools) }) }))

export const makeBackground = (options: BackgroundOptions): Background => new Background(options)
