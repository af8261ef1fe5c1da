import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ruleProblem } from '../../src/config/rule.ts'
import { decide } from '../../src/permission/decide.ts'
import { questionAbout } from '../../src/permission/suggest.ts'
import { type Asked, makeProject } from './ground.ts'

const project = makeProject({ 'src/a.ts': '', 'a[1].txt': '' })
after(project.remove)

async function question(text: string, asked: Asked = {}) {
  const [, tool, file] = /^@(\w+) (.*)$/.exec(text) ?? []
  const call =
    tool !== undefined && file !== undefined ? project.fileCall(tool, file) : project.bashCall(text)
  const facts = await project.facts(call, asked)
  return { call, facts, ...questionAbout(call, facts) }
}

test('the rules on offer are the narrowest that let the call run; where none is safe, none is offered', async () => {
  const rows: [call: string, session: string[], always: string[]][] = [
    [
      'npm test -- x && make all',
      ['Bash(npm test -- x)', 'Bash(make all)'],
      ['Bash(npm test:*)', 'Bash(make all)'],
    ],
    ['npm run build -- --fast', ['Bash(npm run build -- --fast)'], ['Bash(npm run build:*)']],
    ['git add src', ['Bash(git add src)'], ['Bash(git add:*)']],
    ['git commit -m "a b"', ['Bash(git commit:*)'], ['Bash(git commit:*)']],
    ['pytest -k x', ['Bash(pytest -k x)'], ['Bash(pytest:*)']],
    ['cd sub && rm x.txt; ls', ['Bash(rm x.txt)'], ['Bash(rm x.txt)']],
    ['timeout 5 make all', ['Bash(make all)'], ['Bash(make all)']],
    ['make all > log', ['Bash(make all)', 'Edit(~/project/log)'], ['Bash(make all)', 'Edit(~/project/log)']],
    ['git fetch origin', ['Bash(git fetch origin)'], ['Bash(git fetch origin)']],
    ['cat ../secret.txt', ['Bash(cat ../secret.txt)'], ['Bash(cat ../secret.txt)']],
    ['cp f ../x', ['Bash(cp f ../x)', 'Edit(~/x)'], ['Bash(cp f ../x)', 'Edit(~/x)']],
    ['@edit src/a.ts', ['Edit(~/project/src/a.ts)'], ['Edit(~/project/src/*)']],
    ['@write n.txt', ['Edit(~/project/n.txt)'], ['Edit(~/project/n.txt)']],
    ['@read ../secret.txt', ['Read(~/secret.txt)'], ['Read(~/secret.txt)']],
    // Nothing safe can be said of these.
    ['X=1 make', [], []],
    ['make "a b"', [], []],
    ['make $X', [], []],
    ['make a*b', [], []],
    ['find . -exec cat {} +', [], []],
    ['f() { make; }; f', [], []],
    ['git -c a.b=c status', [], []],
    ['@edit a[1].txt', [], []],
    ['make; sudo ls', [], []],
    ['@write .git/hooks/x', [], []],
    ['@read .env', [], []],
  ]
  for (const [text, session, always] of rows) {
    const { rules, call, facts } = await question(text)
    assert.deepEqual(rules, { session, always }, text)
    for (const rule of [...session, ...always]) assert.equal(ruleProblem(rule), undefined, rule)
    for (const allow of [session, always].filter(list => list.length > 0)) {
      const again = await project.facts(call, { allow })
      assert.equal(decide(call, again).decision, 'allow', `${text} with ${allow.join()}`)
      assert.equal(decide(call, facts).decision, 'ask', text)
    }
  }
})

test('what the person’s own rules ask about, and what always asks, no further rule allows', async () => {
  assert.deepEqual((await question('make', { ask: ['Bash(make)'] })).rules, { session: [], always: [] })
  const rows: [call: string, hard: boolean][] = [
    ['rm -rf ~', true],
    ['echo x > f', true],
    ['cat .env', true],
    ['@write .envrc', true],
    ['make', false],
    ['cp f ../x', false],
  ]
  for (const [text, hard] of rows) assert.equal((await question(text)).hard, hard, text)
})

test('what a call touches is told by real paths, without words that only look like paths', async () => {
  const { touches } = await question('cp f out/x && git commit -m README.md > log')
  assert.deepEqual(
    touches.map(file => file.replace(project.cwd, '.').replace(project.root, '<root>')).sort(),
    ['./README.md', './f', './log', '<root>/x'],
  )
})
