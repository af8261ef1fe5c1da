/** What the server made of our wishes: looked at once, after the first reply. Pure. */
import type { Told } from '../../protocol/sayings.ts'
import { told } from '../../words/sayings/told.ts'
import { isSameModel, type LoadedModel } from './facts.ts'

/**
 * With its remedy: the model has less context than was asked for (tokens), or does not run on the GPU alone. `loaded` is
 * what `/api/ps` says. undefined: all is as asked for, or the server does not tell.
 */
export function contextTruth(
  { model, context: wanted }: { model: string; context: number },
  loaded: readonly LoadedModel[],
): Told | undefined {
  const runner = loaded.find(({ name }) => isSameModel(name, model))
  if (!runner) return undefined
  const { context_length: has, size, size_vram } = runner
  if (has !== undefined && has < wanted) return told('context.smaller', { model, has, wanted })
  if (size_vram === undefined) return undefined
  const percent = size > 0 ? Math.round((1 - Math.min(size_vram, size) / size) * 100) : 0
  if (percent === 0) return undefined
  return percent === 100 ? told('context.cpu', { model }) : told('context.partly_cpu', { model, percent })
}
