/** What the file system refuses, as sentences for the model. */
import { ToolError } from '../protocol/errors.ts'

const sentences: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a part of the path is a file, not a directory',
  EISDIR: 'it is a directory',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its symbolic links go in a circle',
  EBUSY: 'it is in use',
  EMFILE: 'too many files are open; try again',
  EAGAIN: 'it cannot be read without waiting',
  EIO: 'the disk reported an error',
}

/** A `ToolError` for what the file system said; undefined for anything else. */
export function fileProblem(error: unknown): ToolError | undefined {
  const code = errorCode(error)
  const sentence = sentences[code ?? '']
  if (!(error instanceof Error) || sentence === undefined) return undefined
  const path = 'path' in error && typeof error.path === 'string' ? `${error.path}: ` : ''
  return new ToolError(`${path}${sentence} (${code})`)
}

/** `ENOENT` and the like; undefined when it is no error of the system. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
