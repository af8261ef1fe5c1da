/** What secrets look like: tokens by their shape, passwords by the name before them, the frame of a private key. */

/** What the base64 of tokens and JWTs begins with, as `kubectl get secret` shows them. */
const tokenBegins = [
  ...[
    'ghp_',
    'gho_',
    'ghs_',
    'github_pat_',
    'glpat-',
    'npm_',
    'pypi-',
    'xoxb-',
    'xoxp-',
    'sk-ant-',
    'sk-proj-',
  ],
  ...['sk_live_', 'AKIA', 'AIza', 'hvs.', 'ya29.', 'eyJhbGci', 'eyJ0eXAi', 'eyJraWQi'],
]
  .map(token => base64Of(token))
  .join('|')

/** What of the base64 of a text is the same whatever follows. `offset`: bytes that come before it. */
function base64Of(text: string, offset = 0): string {
  const bytes = Buffer.from('\0'.repeat(offset) + text)
  return bytes.toString('base64').slice(Math.ceil((offset * 4) / 3), Math.floor((bytes.length * 4) / 3))
}

/**
 * Shapes that are a secret wherever they stand; one without a beginning of its own needs a border before it. They are
 * grouped by what V8 can look for fast: all of them in one expression are looked for at a quarter of the speed.
 */
export const shapes: readonly (readonly [what: string, pattern: string])[][] = [
  [
    ['AWS key', 'A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])'],
    ['Google key', String.raw`AIza[\w-]{30,100}|GOCSPX-[\w-]{20,100}`],
    ['API key', String.raw`SG\.[\w-]{16,64}\.[\w-]{16,128}|(?:PMAK|NRAK)-[\w-]{24,255}|ATATT3[\w=-]{40,512}`],
    ['private key', 'AGE-SECRET-KEY-1[0-9A-Z]{50,70}'],
  ],
  [
    ['GitHub token', String.raw`gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}`],
    ['Stripe key', String.raw`\b[sr]k_(?:live|test)_\w{10,255}|whsec_[\w+/=]{20,255}`],
    ['package token', String.raw`npm_[A-Za-z0-9]{30,255}|\bhf_[A-Za-z0-9]{30,255}|dckr_pat_[\w-]{20,255}`],
    ['API key', String.raw`\b(?:gsk|lin_api|sbp|glsa|do[opr]_v1|shp(?:at|ss|ca|pa))_[\w-]{24,255}`],
  ],
  [
    ['GitLab token', String.raw`gl(?:pat|ptt|dt|rt|cbt|soat|ft|agent)-[\w-]{20,255}`],
    ['Slack token', String.raw`xox[a-z]-[\w-]{10,255}|xapp-\d-[\w-]{20,255}`],
    [
      'API key',
      String.raw`\bsk-(?:(?:proj|svcacct|admin|ant|or|lf)-[\w-]{20,512}|[A-Za-z0-9]{20,255})|\b(?:tskey|xai|pplx)-[\w-]{24,255}`,
    ],
    ['package token', String.raw`pypi-[\w-]{40,512}`],
  ],
  [
    ['Google key', String.raw`ya29\.[\w-]{20,2048}`],
    ['Slack token', String.raw`hooks\.slack\.com/services/[\w/]{20,100}`],
    ['API key', String.raw`\bhvs\.[\w-]{20,255}`],
  ],
  [['JWT', String.raw`(?<![\w-])eyJ[\w-]{10,8192}\.eyJ[\w-]{2,8192}\.[\w-]{0,8192}`]],
  [['private key', 'b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]{20,8192}']],
  [['encoded token', String.raw`(?<![\w+/=-])(?:${tokenBegins})[A-Za-z0-9+/]{20,8192}={0,2}`]],
]

const keyBegins = '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----'
const anywhere = (text: string) => [0, 1, 2].map(offset => base64Of(text, offset)).join('|')
const encodedKeyBegins = `(?:${anywhere('-----BEGIN ')})[A-Za-z0-9+/]{0,24}(?:${anywhere('PRIVATE KEY')})`
export const keyEnds = '-----END '

/** A name that says what stands behind it, in any case: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token=…`. */
const names = [
  'pass(?:word|wd|phrase)|[pP]wd',
  'secret',
  'token',
  '(?:api|access|account|private|auth|encryption|signing|master)[_-]?key',
  'client-(?:key|certificate)-data',
].join('|')
/** What may follow such a word and leaves the meaning as it is. */
const suffix = String.raw`(?:[_-]?(?:key|base|value|prod|dev|test|staging|live|hash|\d{1,3})){0,3}`
const quoted = String.raw`\\?(?:"[^"\n]{1,512}|'[^'\n]{1,512})`
const bare = String.raw`[^\s"'${'`'},;(){}<>[\]|&\\]{3,512}`

const namedPattern = [
  String.raw`(?<name>${names})${suffix}(?<between>\\?["']?[ \t]{0,3}(?:=>|:=|[:=])[ \t]{0,3})(?<value>${quoted}|${bare})`,
  String.raw`(?<scheme>authorization["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:bearer|basic|token)[ \t]{1,3})[^\s"']{8,4096}`,
  String.raw`(?<login>\blogin[ \t]+[^\s]{1,128}[ \t]+password[ \t]+)[^\s]{1,128}`,
  // In ~/.netrc each word may have a line of its own.
  String.raw`(?<netrc>(?<![^\s])password[ \t]{1,8})[^\s]{1,128}(?=[ \t]*(?:[\r\n]|$))`,
  String.raw`(?<curl>(?<![\w-])(?:-[a-zA-Z]{0,8}u|--user)[ \t=]{0,3}["']?[^\s:"']{1,128}:)[^\s"']{1,256}`,
  String.raw`(?<element><[\w.:-]{0,40}(?:${names})>[ \t]{0,8})[^<>\s]{1,512}(?=[ \t]*</)`,
  String.raw`(?<npmrc>(?<![\w.])_auth[ \t]{0,3}=[ \t]{0,3}["']?)[A-Za-z0-9+/=]{6,2048}`,
  String.raw`(?<auth>"auth"[ \t]{0,3}:[ \t]{0,3}")[A-Za-z0-9+/=]{12,2048}`,
].join('|')

interface Patterns {
  anyShape: RegExp[]
  anyNamed: RegExp
  keyBegin: RegExp
  holdsLine: RegExp
}

let compiled: Patterns | undefined

/** No start waits for these. */
export function patterns(): Patterns {
  compiled ??= {
    anyShape: shapes.map(group => new RegExp(group.map(([, pattern]) => `(${pattern})`).join('|'), 'g')),
    anyNamed: new RegExp(namedPattern, 'gi'),
    keyBegin: new RegExp(`${keyBegins}|(?<encoded>${encodedKeyBegins})`),
    holdsLine: new RegExp(`-----BEGIN|${names}|authorization|"auth"|_auth|login|\\bcurl\\b`, 'i'),
  }
  return compiled
}

/** An address with a login: from the scheme’s colon to the password’s end. */
export const anyLogin =
  /:\/\/[^\s/:@"']{0,128}:(?:[^\s/"']{1,256}(?=@)|(?!\d{1,5}\/)[^\s"'<>()]{1,128}(?=@[\w.-]{1,255}(?:[:/?#\s"']|$)))/g
