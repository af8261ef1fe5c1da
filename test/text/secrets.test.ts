import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { createMasker, holdsMask, maskSecrets, maskValue } from '../../src/text/secrets.ts'

// Put together here, so that no scanner of secrets takes this file for a leak.
const join = (...parts: string[]) => parts.join('')
const letters = 'aB3dE5gH1jK2mN4pQ6sT8vW0yZ7cX9rL5uI3oP1q'
const body = [0, 1, 2].map(n => `${letters}${letters}`.slice(n, n + 64)).join('\n')
const pem = (kind = 'RSA ') =>
  join('-----BEGIN ', kind, 'PRIVATE KEY-----\n', body, '\nq1w2e3==\n-----END ', kind, 'PRIVATE KEY-----')
const b64 = (text: string) => Buffer.from(text).toString('base64')
const jwt = join('eyJhbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxMjM0In0', '.', 'c2lnbmF0dXJlLTAwMQ')

/** Text with a secret, and the part of it that must not be seen. */
const secrets: (readonly [text: string, secret: string])[] = [
  ...[
    join('AKIA', 'IOSFODNN7EXAMPLE'),
    join('ASIA', 'Y34FZKBOKMUTVV7A'),
    join('ghp_', letters.slice(0, 36)),
    join('gho_', letters.slice(0, 36)),
    join('github_pat_', '11ABCDEFG0', letters),
    join('glpat-', letters.slice(0, 20)),
    join('xoxb-', '123456789012-123456789012-', letters.slice(0, 24)),
    join('AIza', letters.slice(0, 35)),
    join('GOCSPX-', letters.slice(0, 28)),
    join('sk_live_', letters.slice(0, 24)),
    join('rk_test_', letters.slice(0, 24)),
    join('sk-', letters),
    join('sk-proj-', letters, '_', letters, '-x'),
    join('sk-ant-', 'api03-', letters),
    join('npm_', letters.slice(0, 36)),
    join('hf_', letters.slice(0, 34)),
    join('pypi-', letters, letters),
    join('hvs.', letters),
    join('SG.', letters.slice(0, 22), '.', letters),
    jwt,
  ].flatMap(token => [[token, token] as const, [`const x = '${token}'; // ${token}`, token] as const]),
  [`remote https://ann:${letters}@host/x.git`, letters],
  ['postgres://app:s3cr3t@db:5432/app', 's3cr3t'],
  ['http://me:s@cret@example.com/x', 's@cret'],
  ['Server=db;Uid=app;Pwd=s3cr3t-x;', 's3cr3t-x'],
  ['DB_PASSWORD=hunter', 'hunter'],
  ['export API_KEY="my very long phrase"', 'my very long phrase'],
  ['12\tpassword=correcthorse', 'correcthorse'],
  ['conf/.env.local:3: secret=correcthorse', 'correcthorse'],
  ['+  password=correcthorse', 'correcthorse'],
  ['curl --password=x7-hunter2 host', 'x7-hunter2'],
  ['{"password": "hunter2-and-more"}', 'hunter2-and-more'],
  ['{\\"client_secret\\": \\"hunter2-and-more\\"}', 'hunter2-and-more'],
  [`aws_secret_access_key = ${letters.slice(0, 38)}/+`, letters.slice(0, 38)],
  ['Authorization: Bearer abcdefgh12345678', 'abcdefgh12345678'],
  ["-H 'authorization: Basic YW5uOmh1bnRlcjI='", 'YW5uOmh1bnRlcjI='],
  ['machine host login ann password hunter2', 'hunter2'],
  ['"auth": "YW5uOmh1bnRlcjI="', 'YW5uOmh1bnRlcjI='],
  ['machine host\n\tlogin ann\n\tpassword hunter2\n', 'hunter2'],
  ['1\tmachine host\n2\tlogin ann\n3\tpassword hunter2', 'hunter2'],
  ['.netrc:2: login ann\n.netrc:3: password hunter2', 'hunter2'],
  ['db:\n  password: hunter2\n  port: 80', 'hunter2'],
  ['db:\n  password: "hunter2"\n', 'hunter2'],
  ['7\t  db_password: s3cr3t\n', 's3cr3t'],
  ['<server><username>ann</username><password>hunter</password></server>', 'hunter'],
  ['<db.Password>\thunter2 </db.Password>', 'hunter2'],
  [`_auth=${b64('ann:hunter2')}`, b64('ann:hunter2')],
  [`//registry.example.com/:_auth="${b64('ann:hunter2')}"`, b64('ann:hunter2')],
  [`//registry.example.com/:_authToken=${letters}`, letters],
  ['curl -sS -u ann:hunter https://example.com', 'hunter'],
  [`curl -H 'Authorization: Bearer ${letters}' --user "ann:hunter"`, letters],
  [`curl -H 'Authorization: Bearer ${letters}' --user "ann:hunter"`, ':hunter'],
  ['redis://:ab/c@d9@host:6379/0', 'ab/c'],
  [`    client-key-data: ${b64(pem())}\n    token: x`, b64(pem()).slice(60, 90)],
  [`    client-certificate-data: ${b64('-----BEGIN CERTIFICATE-----\nMIIB')}`, 'LS0tLS1CRUdJTi'],
  [`{"client-key-data":"${b64(pem('EC '))}","x":1}`, b64(pem('EC ')).slice(-60)],
  [`{"data":{"tls.key":"${b64(pem(''))}"}}`, b64(pem('')).slice(60, 90)],
  [b64(pem('OPENSSH ')).replace(/.{76}/g, '$&\n'), b64(pem('OPENSSH ')).slice(200, 240)],
  [b64(`# x\n${pem()}`), b64(`# x\n${pem()}`).slice(100, 130)],
  ...[join('ghp_', letters), join('AKIA', 'IOSFODNN7EXAMPLE'), join('sk-ant-', 'api03-', letters), jwt].map(
    token => [`  token: ${b64(token)}\n`, b64(token).slice(0, 20)] as const,
  ),
  [pem(), body.slice(0, 30)],
  [pem('EC '), body.slice(70, 100)],
  [pem('').replaceAll('\n', '\r\n'), 'q1w2e3=='],
  [pem().replace(/^/gm, '7\t'), body.slice(70, 100)],
  [pem().replace(/^/gm, 'a/key.txt:7: '), body.slice(70, 100)],
  [JSON.stringify({ private_key: pem('') }), body.slice(70, 100)],
  // Only the end of it was read.
  [pem().split('\n').slice(2).join('\n'), body.slice(140, 170)],
  // Only the beginning.
  [pem().split('\n').slice(0, 3).join('\n'), body.slice(70, 100)],
  [
    join('-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n', body, '\n'),
    body.slice(0, 30),
  ],
]

/** What looks alike and is nothing of the kind. */
const harmless = [
  'const token = getToken()',
  'interface Login {\n  password: string\n  pwd: Password\n  token: Token2Kind\n}',
  'password: data.password2\n',
  'the login page\npassword reset\n',
  'change your password now\n',
  'docker run -u 1000:1000 image; sudo -u ann:staff x',
  '_auth=None\nself._auth=auth',
  '<password>${' + 'env.PASSWORD}</password> <token>type</token> <input type="password">',
  'docker://registry:5000/x@latest http://host:80/a@b.c/d',
  'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUlJQklqQU5CZ2txaGtpRzl3MEJBUUVGQUFPQ0FROEE=',
  'PWD=/home/ann/x1\nOLDPWD=/home/ann',
  'pwd=/home/ann/x1',
  'password: string',
  'const { password, token } = request.body',
  'token: Uint8Array',
  'MAX_TOKENS=4096',
  'MAX_TOKEN=4096',
  'API_KEY=$OTHER_KEY',
  'PASSWORD=$(pass show x)',
  'password=os.environ["X1"]',
  'login(user, password=self.password1)',
  "'auth.password.label': 'Passwort'",
  'API_KEY=your-key-here',
  'password = "********"',
  '"secret": "<the secret 1>"',
  '"token": "punctuation"',
  'skeleton-task-loader-animation-container-long sk-circle-fade-dot-animation-name',
  'risk-aBcDeFgHiJkLmNoPqRsTuVwX',
  '    - token: $' + '{{ secrets.GITHUB_TOKEN }}',
  "if (text.includes('-----BEGIN RSA PRIVATE KEY-----')) return 'a key'",
  '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----',
  '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  'postgres://postgres:postgres@localhost/x',
  'http://host:8080/path@2x.png and user@host:22',
  '"integrity": "sha512-aB3dE5gH1jK2mN4pQ6sT8vW0yZ7cX9rL5uI3oP1qaB3dE5gH1jK2mN4pQ6sT8vW0yZ7c=="',
  'PublicKeyToken=31bf3856ad364e35',
  '3f2a9c8b7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a',
  'git@github.com:ann/repo.git',
  'ls: -rw-r--r-- 1 root root 8192 Nov 21 token.test.ts',
]

test('what gives access is masked wherever it stands, and the rest of the text stays', () => {
  for (const [text, secret] of secrets) {
    const masked = maskSecrets(`before\n${text}\nafter`)
    assert.ok(!masked.includes(secret), `${secret} is seen in ${masked}`)
    assert.ok(holdsMask(masked), masked)
    assert.ok(masked.startsWith('before\n') && masked.endsWith('\nafter'), masked)
    assert.equal(maskSecrets(masked), masked, 'masking twice changes nothing')
  }
})

test('code and texts that only speak of secrets stay as they are', () => {
  for (const text of harmless) assert.equal(maskSecrets(text), text)
  assert.equal(maskSecrets(harmless.join('\n')), harmless.join('\n'))
})

test('typed data is masked in all its strings', () => {
  const token = join('npm_', letters.slice(0, 36))
  assert.deepEqual(maskValue({ a: [token, 1, null], b: { c: `+${token}` } }), {
    a: ['[masked: package token]', 1, null],
    b: { c: '+[masked: package token]' },
  })
})

test('a secret that comes in pieces is masked like a whole one', () => {
  let seed = 42
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const whole = [...secrets.map(([text]) => text), ...harmless].filter(text => !/^[^-]*-----END/.test(text))
  for (let round = 0; round < 200; round++) {
    const text = Array.from({ length: 3 }, () => whole[random(whole.length)] ?? '').join(
      random(2) ? '\n' : '\n\n',
    )
    const masker = createMasker()
    let shown = ''
    for (let at = 0; at < text.length; ) {
      const next = at + 1 + random(round % 2 ? 40 : 4)
      shown += masker.push(text.slice(at, next))
      at = next
    }
    assert.equal(shown + masker.finish(), createMaskedWhole(text))
  }
})

function createMaskedWhole(text: string): string {
  const masker = createMasker()
  return masker.push(text) + masker.finish()
}

test('lines without anything like a secret are shown as they come', () => {
  const masker = createMasker()
  assert.equal(masker.push('.....'), '.....')
  assert.equal(masker.push('\nbuilding 12 files, '), '\nbuilding 12 files, ')
  assert.equal(masker.push('ghp_'), '')
  assert.equal(masker.push('x done\n'), 'ghp_x done\n')
})

test('nothing that a file can hold makes the search slow', () => {
  const nasty = [
    'eyJ',
    'a',
    '-----BEGIN RSA PRIVATE KEY-----',
    'token=',
    'login ',
    'password ',
    'LS0tLS1CRUdJTi',
    'LS0tLS1CRUdJTiBQUklWQVRFIEtFWS',
    '<a.',
    'curl -u a:',
    '_auth=',
    '://',
    'sk-',
    '"',
    ' ',
    'A\n',
    ':',
  ]
  const before = process.cpuUsage()
  for (const piece of nasty) maskSecrets(piece.repeat(300_000 / piece.length))
  const { user } = process.cpuUsage(before)
  // Quadratic would be minutes.
  assert.ok(user < 20_000_000, `${user / 1e6} s`)
})

test('of three thousand ordinary files at most three are marked', () => {
  const marked: string[] = []
  let seen = 0
  const folders = [path.join(import.meta.dirname, '../../node_modules')]
  for (let folder = folders.shift(); folder !== undefined && seen < 3_000; folder = folders.shift())
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory() && !entry.name.startsWith('.')) folders.push(file)
      if (!entry.isFile() || !/\.([cm]?[jt]s|json|md|ya?ml)$/.test(entry.name) || seen === 3_000) continue
      if (statSync(file).size > 300_000) continue
      seen++
      const text = readFileSync(file, 'utf8')
      if (maskSecrets(text) !== text) marked.push(file)
    }
  assert.equal(seen, 3_000)
  assert.ok(marked.length <= 3, marked.join('\n'))
})
