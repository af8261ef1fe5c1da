/** Whether a command that failed in a sandbox failed because of it, as far as its last words tell. */

const WORDS: readonly (readonly [why: 'written' | 'hidden' | 'network', words: RegExp])[] = [
  ['written', /Read-only file system|\bEROFS\b|Device or resource busy|\bEBUSY\b/i],
  [
    'network',
    /Could not resolve host|Temporary failure in name resolution|Name or service not known|Network is unreachable|getaddrinfo|\bE(AI_AGAIN|NETUNREACH|NOTFOUND)\b|nodename nor servname/i,
  ],
  ['hidden', /Permission denied|Operation not permitted|\bE(ACCES|PERM)\b/i],
]

/** `output`: what the command wrote; only its end counts. */
export function whyStopped(output: string): (typeof WORDS)[number][0] | undefined {
  const end = output.slice(-16_384)
  return WORDS.find(([, words]) => words.test(end))?.[0]
}
