/** Whether a command that failed in a sandbox failed because of it, as far as its last words tell. */

const WORDS: readonly (readonly [why: 'written' | 'hidden' | 'network', words: RegExp])[] = [
  ['written', /Read-only file system|\bEROFS\b|Device or resource busy|\bEBUSY\b/i],
  [
    'network',
    /Could not resolve host|Temporary failure in name resolution|Name or service not known|Network is unreachable|getaddrinfo|\bE(AI_AGAIN|NETUNREACH|NOTFOUND)\b|nodename nor servname/i,
  ],
  ['hidden', /Permission denied|Operation not permitted|\bE(ACCES|PERM)\b/i],
]

/** How programs complain of a host that they are refused, where they do not name it. */
const OF_REFUSAL = /\b403\b|proxy|tunnel|forbidden/i

/** `output`: what the command wrote; only its end counts. `refused`: hosts that it asked for in vain. */
export function whyStopped(
  output: string,
  refused: readonly string[] = [],
): (typeof WORDS)[number][0] | undefined {
  const end = output.slice(-16_384)
  const names = refused.map(host => host.replace(/:\d+$/, ''))
  const isRefusal = end.trim() === '' || OF_REFUSAL.test(end) || names.some(name => end.includes(name))
  if (refused.length > 0 && isRefusal) return 'network'
  return WORDS.find(([, words]) => words.test(end))?.[0]
}
