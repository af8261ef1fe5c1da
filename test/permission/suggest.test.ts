import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { decide } from '../../src/permission/decide.ts'
import { questionAbout } from '../../src/permission/suggest.ts'
import { ruleProblem } from '../../src/rules/rule.ts'
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
  const rows: [line: string, touches: string[]][] = [
    ['k1 <(k2) < /dev/null', []],
    ['npm test', []],
    ['npm run sub', []],
    ['rm -rf old.txt', ['./old.txt']],
    ['cp -rt sub file.txt', ['./file.txt', './sub']],
    ['sed s/old/new/g README.md -i', ['./README.md']],
    ["sed -i '/old/d' file.txt", ['./file.txt']],
    ['curl -fsSL https://example.com/i.sh', ['example.com']],
    ['curl https://u:p@example.com:8443/x -o sub/y', ['./sub/y', 'example.com']],
    ['git clone git@github.com:a/b.git sub/new', ['./sub/new', 'github.com']],
    ['node sub/x.txt --out=./made', ['./made', './sub/x.txt']],
  ]
  for (const [line, wanted] of rows) {
    const { touches: told } = await question(line)
    assert.deepEqual([...new Set(told.map(file => file.replace(project.cwd, '.')))].sort(), wanted, line)
  }
})

test('the reason is true of the call: what the network is for is not offered to a sandbox', async () => {
  const rows: [line: string, why: string][] = [
    [
      'make x',
      'mode ask asks before a command: make may change something; after /mode auto-edit commands like it run without asking, in a sandbox: they change only this project and have no network',
    ],
    ['git push', 'mode ask asks before a command: git push talks to another machine'],
    ['curl -s https://example.com', 'mode ask asks before a command: curl may change something'],
  ]
  for (const [line, wanted] of rows) assert.equal((await project.bash(line)).why, wanted, line)
  const { why } = await project.bash('for i in 1 2; do echo line $i; done; touch x')
  assert.match(
    why,
    /: gopi cannot tell what `echo \$i` does; touch may change something; after \/mode auto-edit/,
  )
})

test('a person hears all the dangers of a line', async () => {
  const { why } = await project.bash('sudo rm -rf ~ && cat .env; cat .env')
  assert.match(why, /privileges.*; .*rm -r.*; may hold secrets: [^;]*\.env$/)
  const outside = await project.bash('echo a >> ../one.txt; tee ../two.txt < f; sudo true; cp f ../one.txt')
  assert.match(
    outside.why,
    /^sudo takes privileges; writes outside the project: [^;,]*one\.txt, [^;,]*two\.txt$/,
  )
  const destroyed = await project.bash('rm -r ../other')
  assert.equal(destroyed.why.match(/other/g)?.length, 1, destroyed.why)
})

test('a person hears every reason to ask, each once, up to a number', async () => {
  const rows: [line: string, why: string, asked?: Asked][] = [
    // Of one part it is named; of several, each reason names its program, and the rows beside it say the rest.
    ['git log && npm ci && npm test', 'npm may change something (in `npm ci`)'],
    ['make x && mkdir d && npm ci', 'make, mkdir, npm may change something'],
    [
      'npm ci > log.txt; echo $i',
      'npm may change something; gopi cannot tell what `echo $i` does; a redirect writes ~/project/log.txt',
    ],
    [
      'echo $c; echo $d; echo $e; echo $f; make x; make y',
      `${['c', 'd', 'e', 'f'].map(name => `gopi cannot tell what \`echo $${name}\` does; `).join('')}and 1 more`,
    ],
    ['make x; npm ci', 'npm may change something (in `npm ci`)', { allow: ['Bash(make x)'] }],
    ['make a; npm b; cargo c; go d; node e; deno f', 'make, npm, cargo, go, … may change something'],
  ]
  for (const [line, wanted, asked] of rows) {
    const { why } = await project.bash(line, asked)
    const [, told] = /^mode ask asks before a command: (.*?)(?:; after \/mode auto-edit .*)?$/.exec(why) ?? []
    assert.equal(told?.replaceAll(project.cwd, '~/project'), wanted, line)
  }
  const { why } = await project.bash('git -c alias.x="$a" x; ssh h "$x"', { deny: ['Bash(rm:*)'] })
  assert.match(why, /git -c.*; ssh runs another program, so nobody knows whether Bash\(rm:\*\) forbids it$/)
})

test('rules grow step by step, never over what runs from their arguments', async () => {
  const rows: [call: string, ...steps: string[]][] = [
    ['npm test -- --grep foo', 'Bash(npm test -- --grep foo)', 'Bash(npm test:*)', 'Bash(npm:*)'],
    ['git add src', 'Bash(git add src)', 'Bash(git add:*)', 'Bash(git:*)'],
    ['node build.js --fast', 'Bash(node build.js --fast)', 'Bash(node build.js:*)'],
    ['python -c 1', 'Bash(python -c 1)'],
    ['@edit src/a.ts', 'Edit(~/project/src/a.ts)', 'Edit(~/project/src/*)', 'Edit(*)'],
    ['@write n.txt', 'Edit(~/project/n.txt)', 'Edit(~/project/*)', 'Edit(*)'],
    ['@read ../secret.txt', 'Read(~/secret.txt)', 'Read(~/*)'],
    ['X=1 make'],
    ['rm -rf ~'],
    ['@read .env'],
  ]
  for (const [text, ...steps] of rows) {
    const { wider, call } = await question(text)
    assert.deepEqual(
      wider.map(({ rules }) => rules.join()),
      steps,
      text,
    )
    for (const { rules } of wider)
      assert.equal(decide(call, await project.facts(call, { allow: [...rules] })).decision, 'allow', text)
  }
  assert.equal((await question('@edit src/a.ts')).wider.at(-1)?.edits, true)
})

test('the parts of a line are told by what they do, those that ask with the reason', async () => {
  const told = async (text: string, asked?: Asked) =>
    ((await question(text, asked)).parts ?? []).map(
      ({ text, does, why }) => `${why ? '? ' : ''}${does}: ${text}`,
    )
  assert.deepEqual(await told('ls src && npm test | tee log; curl https://example.com'), [
    'reads: ls src',
    '? unknown: npm test',
    '? writes: tee log',
    '? network: curl https://example.com',
  ])
  assert.deepEqual(await told('git push && git commit -m x && git log', { allow: ['Bash(git push)'] }), [
    'network: git push',
    '? writes: git commit -m x',
    'reads: git log',
  ])
  assert.deepEqual(await told('timeout 5 make all && cat f'), ['? unknown: make all', 'reads: cat f'])
  assert.deepEqual(await told('make all'), [])
  // What only may be a command is none of its parts: `../other` here.
  assert.deepEqual(await told('sudo rm -rf ../other && git status'), [
    '? writes: rm -rf ../other',
    '? unknown: sudo rm -rf ../other',
    'reads: git status',
  ])
})
