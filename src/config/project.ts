/** What a project's own config file may say: anything once its folder is trusted, before that only stricter things. */
import type { Told } from '../protocol/sayings.ts'
import { told } from '../words/sayings/told.ts'
import { type Config, MODES } from './config.ts'
import type { Path, Setting } from './settings.ts'

/** Joined lists: a project can only add to them. */
const TIGHTENING: ReadonlySet<Path> = new Set<Path>(['permission.ask', 'permission.deny', 'permission.env'])

/**
 * Sorts out what a project's file may set. `mode` is the mode that holds without the project.
 * A project never sets yolo, trusted or not. What is left out is told in one sentence.
 */
export function admitProject(
  settings: readonly Setting[],
  { file, trusted, mode }: { file: string; trusted: boolean; mode: Config['permission']['mode'] },
): { settings: Setting[]; notices: Told[] } {
  const mayBe = (asked: unknown) => asked !== 'yolo' && (trusted || strictness(asked) <= strictness(mode))
  const may = ({ path, value }: Setting) =>
    path === 'permission.mode' ? mayBe(value) : trusted || TIGHTENING.has(path)
  const left = settings.filter(setting => !may(setting)).map(({ path }) => path)
  const notice = () =>
    trusted ? told('config.yolo', { file }) : told('config.untrusted', { file, keys: left })
  return { settings: settings.filter(may), notices: left.length === 0 ? [] : [notice()] }
}

/** The lower, the stricter. */
function strictness(mode: unknown): number {
  return (MODES as readonly unknown[]).indexOf(mode)
}
