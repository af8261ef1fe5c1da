import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openProgram } from '../support/program.ts'

type Row = [args: string[], decision: string, why: RegExp, rule?: string]

test('permission check says what would happen with a call, runs nothing, and ends with 0 whatever it says', async t => {
  const gopi = await openProgram(t, { files: { 'a.txt': 'x', '.env': 'KEY=1' } })
  const rows: Row[] = [
    [['bash', 'ls -la'], 'allow', /only reads/],
    [['bash', 'touch CANARY'], 'ask', /touch/],
    [['--mode', 'yolo', 'bash', 'touch CANARY'], 'allow', /yolo/],
    [['--mode', 'plan', 'bash', 'touch CANARY'], 'deny', /plan/],
    [['--allow', 'Bash(touch:*)', 'bash', 'touch CANARY'], 'allow', /touch/, 'Bash(touch:*)'],
    [['--allow', 'Bash(git *)', 'bash', 'git log && rm -rf ~'], 'ask', /destroys/],
    [['--deny', 'Bash(rm *)', '--mode', 'yolo', 'bash', 'env rm x'], 'deny', /denies/, 'Bash(rm *)'],
    [['--ask', 'Read', 'read', 'a.txt'], 'ask', /asks about/, 'Read'],
    [['READ', 'a.txt'], 'allow', /only reads/],
    [['read', '.env'], 'ask', /secrets/],
    [['read', '/proc/self/environ'], 'deny', /environment of a process/],
    [['read', '\\\\evil\\share'], 'deny', /network/],
    [['write', '{"path":"../b.txt","content":"x"}'], 'ask', /outside the project: .*b\.txt/],
    [['bash', '{"command":"ls"}'], 'allow', /only reads/],
  ]
  for (const [args, decision, why, rule] of rows) {
    const { code, stdout, stderr } = await gopi.run(['permission', 'check', '--json', ...args])
    assert.deepEqual([code, stderr], [0, ''], args.join(' '))
    assert.match(stdout, /^\{.*\}\n$/)
    const said = JSON.parse(stdout) as Record<string, unknown>
    assert.deepEqual([said.decision, said.rule], [decision, rule], `${args.join(' ')}: ${stdout}`)
    assert.match(String(said.why), why)
    assert.deepEqual(Object.keys(said), [
      ...['decision', 'why', ...(rule ? ['rule'] : [])],
      ...(args.includes('bash') && said.why === 'only reads' ? ['where'] : []),
    ])
  }
  const { stdout } = await gopi.run(['permission', 'check', 'bash', 'rm x\n\x1b[2Jy'])
  assert.match(stdout, /^ask: [^\n\x1b]*\n$/)
  const { stdout: left } = await gopi.run(['permission', 'check', '--json', 'bash', 'ls CANARY'])
  assert.match(left, /only reads/)
})

test('permission check: bad arguments and bad rules end with 2, near names are suggested, help shows an example', async t => {
  const gopi = await openProgram(t)
  const rows: [args: string[], said: RegExp][] = [
    [[], /expects check TOOL ARGUMENT/],
    [['check', 'bash'], /expects check TOOL ARGUMENT/],
    [['chek', 'bash', 'ls'], /expects check TOOL ARGUMENT/],
    [['check', 'bahs', 'ls'], /there is no tool bahs/],
    [['check', '--mode', 'never', 'bash', 'ls'], /--mode/],
    [['check', '--allow', 'Bsh(ls)', 'bash', 'ls'], /did you mean Bash\?/],
    [['check', '--deny', 'Bash(ls', 'bash', 'ls'], /a parenthesis is missing/],
    [['check', '--ask', 'Bash()', 'bash', 'ls'], /the pattern is empty/],
  ]
  for (const [args, said] of rows) {
    const { code, stdout, stderr } = await gopi.run(['permission', ...args])
    assert.deepEqual([code, stdout], [2, ''], args.join(' '))
    assert.match(stderr, said)
  }
  mkdirSync(path.join(gopi.home, '.gopi'), { recursive: true })
  writeFileSync(
    path.join(gopi.home, '.gopi', 'config.yaml'),
    'permission:\n  allow: [Bash(ls *)]\n  deny: ["Raed(x)"]\n',
  )
  const { code, stderr } = await gopi.run(['permission', 'check', 'bash', 'ls'])
  assert.equal(code, 2)
  assert.match(stderr, /config\.yaml:3: permission\.deny\[0\]: .*did you mean Read\?/)
  const help = await gopi.run(['permission', '--help'])
  assert.equal(help.code, 0)
  assert.match(
    help.stdout,
    /^gopi permission check \[options\] TOOL ARGUMENT\n[\s\S]*Example:\n {2}gopi permission check --allow/,
  )
})
