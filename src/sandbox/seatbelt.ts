/**
 * The profile for `sandbox-exec` of macOS. The last rule that fits holds. There are no private directories there: the
 * temporary one lies in the folder of the shell's pipes.
 */
import path from 'node:path'
import type { Profile } from './profile.ts'

export function seatbeltProfile(
  { project, canWrite, hidden, kept, held, network }: Profile,
  directory: string,
): string {
  const rule = (what: string, filters: readonly string[]) =>
    filters.length === 0 ? [] : [`(${what} ${filters.join(' ')})`]
  const below = (file: string) => `(subpath ${quoted(file)})`
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    ...rule('allow file-write*', [
      below(directory),
      ...(canWrite ? [below(project)] : []),
      ...['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper'].map(file => `(literal ${quoted(file)})`),
    ]),
    ...rule('deny file-write*', kept.map(below)),
    // Whoever could move them away would make others in their place.
    ...rule(
      'deny file-write-unlink',
      held.map(file => `(literal ${quoted(file)})`),
    ),
    ...rule(
      'deny file-read* file-write*',
      hidden.map(({ path: file }) => below(file)),
    ),
    ...(network === true ? [] : ['(deny network*)']),
    ...(typeof network === 'object'
      ? [`(allow network-outbound (remote ip "localhost:${network.port}"))`]
      : []),
    '(deny process-info* (target others))',
    '(deny signal (target others))',
    '(allow signal (target same-sandbox))',
    '(deny mach-lookup (global-name "com.apple.securityd") (global-name "com.apple.SecurityServer"))',
    '(deny appleevent-send)',
    '(deny job-creation)',
  ].join('\n')
}

const quoted = (file: string): string => `"${file.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

export const seatbeltTmp = (directory: string): string => path.join(directory, 'tmp')
