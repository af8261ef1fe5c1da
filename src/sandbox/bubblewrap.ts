/** The arguments of bubblewrap for a profile: all namespaces new, everything there to be read only, then what differs. */
import type { Profile } from './profile.ts'

/** Directories that programs write into as they please: empty, and gone with the sandbox. What lives in `/run` are sockets. */
const SCRATCH = ['/tmp', '/var/tmp', '/run', '/var/run']
/** Parts of `/run` that hold programs or names of hosts, and no sockets. */
const OF_RUN = ['/run/current-system', '/run/systemd/resolve']

export function bubblewrapArguments(
  profile: Profile,
  { cwd, directory }: { cwd: string; directory: string },
) {
  const { project, canWrite, hidden, kept, held, network, scratch } = profile
  const gate = typeof network === 'object' ? network.directory : undefined
  const bound = (how: string, file: string) => [how, file, file]
  return [
    '--unshare-all',
    ...(network === true ? ['--share-net'] : []),
    '--die-with-parent',
    ...['--cap-drop', 'ALL'],
    ...bound('--ro-bind', '/'),
    ...['--dev', '/dev'],
    ...['--proc', '/proc'],
    ...SCRATCH.filter(scratch).flatMap(folder => ['--tmpfs', folder]),
    ...OF_RUN.flatMap(folder => bound('--ro-bind-try', folder)),
    ...bound(canWrite ? '--bind' : '--ro-bind', project),
    ...(canWrite ? held.flatMap(file => bound('--bind', file)) : []),
    ...(canWrite ? kept.flatMap(file => bound('--ro-bind', file)) : []),
    ...bound('--bind', directory),
    ...hidden.flatMap(({ path, isDirectory }) =>
      isDirectory ? ['--perms', '0000', '--tmpfs', path] : ['--ro-bind', '/dev/null', path],
    ),
    // A socket elsewhere than in a private directory would have been hidden with those of others.
    ...(gate === undefined ? [] : bound('--ro-bind', gate)),
    ...['--setenv', 'TMPDIR', '/tmp'],
    ...['--chdir', cwd, '--'],
  ]
}
