/** What the two sandboxes let happen, in real runs with canaries; and the profile that macOS is given. */
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sandboxFor } from '../../src/assembly/sandboxing.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { seatbeltProfile } from '../../src/sandbox/seatbelt.ts'
import { type CommandOptions, createShell } from '../../src/shell/shell.ts'
import { noWall } from './walls.ts'

const skip = noWall === undefined ? false : `no sandbox here: ${noWall}`

const FILES = {
  'p/a.txt': 'a\n',
  'p/.env': 'CANARY-1\n',
  'p/AGENTS.md': 'x\n',
  'p/.git/config': '[core]\n',
  'p/.git/HEAD': 'ref: refs/heads/main\n',
  'p/.git/hooks/x': '',
  'p/.github/workflows/ci.yml': 'x\n',
  'p/sub/deep/.env.local': 'CANARY-2\n',
  '.ssh/id_rsa': 'CANARY-3\n',
  '.aws/credentials': 'CANARY-4\n',
  '.config/gh/hosts.yml': 'CANARY-5\n',
  '.gopi/sessions/x': 'CANARY-6\n',
  '.bash_history': 'CANARY-7\n',
  'other.txt': 'other\n',
}

async function open(t: TestContext) {
  // Not in the temporary directory, of which a sandbox has its own.
  const home = realpathSync(mkdtempSync(path.join(import.meta.dirname, '.home-')))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
    writeFileSync(path.join(home, name), text)
  }
  const project = path.join(home, 'p')
  const sandbox = createSandbox({
    ...{ project, home, gopiHome: path.join(home, '.gopi') },
    ...{ env: process.env, network: [] },
  })
  assert.equal(await sandbox.problem('sandbox-read'), undefined)
  const shell = createShell({ cwd: project, wall: sandbox, env: { ...process.env, HOME: home } })
  t.after(() => shell.close())
  const run = (command: string, options: Partial<CommandOptions> = {}) =>
    shell.run(command, {
      signal: new AbortController().signal,
      timeout: 20_000,
      maxOutput: 1 << 16,
      spillDir: async () => home,
      ...options,
    })
  return { home, project, shell, run }
}

const read = { where: 'sandbox-read' } as const
const work = { where: 'sandbox-work' } as const

/** What is there, with its text. */
const everything = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap(entry => {
      const file = path.join(entry.parentPath ?? entry.path, entry.name)
      return entry.isFile() ? [`${file}: ${readFileSync(file, 'utf8')}`] : [file]
    })
    .sort()

const ATTACKS = [
  'echo x > a.txt; rm -rf . .. ~ 2>/dev/null; touch CANARY ../CANARY ~/CANARY',
  'for d in / /usr /etc /var ~ .. /dev/shm; do touch "$d/GOPI-CANARY"; done',
  'mv .git .g; mv .github .h; ln -s / l; mkdir -p x/y; chmod 777 a.txt; touch -d 2001-01-01 a.txt',
  'mount -o remount,rw / ; mount --bind /tmp . ; umount .; unshare -rm sh -c "mount -o remount,rw /; touch CANARY"',
  'echo core > /proc/sys/kernel/core_pattern; echo 1 > /proc/sys/vm/drop_caches',
  "node -e \"require('fs').writeFileSync('CANARY','x')\"; awk 'BEGIN { print > \"CANARY\" }'",
  'trap \'echo "touch CANARY"\' DEBUG; exec true',
  'for fd in 10 11 12 13 14; do printf "touch CANARY\\n\\0" >&$fd; done',
]

test('in profile read nothing changes, whatever is tried', { skip }, async t => {
  const { home, run, project } = await open(t)
  const before = everything(home)
  for (const attack of ATTACKS) {
    await run(attack, read)
    assert.deepEqual(everything(home), before, attack)
    assert.equal(existsSync('/etc/GOPI-CANARY') || existsSync('/usr/GOPI-CANARY'), false, attack)
  }
  assert.equal((await run('cd .; touch "$TMPDIR/x" && echo made; pwd', read)).output, `made\n${project}\n`)
  await run('true')
  assert.deepEqual(everything(home), before)
})

test('memory and processes have the limits that the configuration sets, and no command lifts them', {
  skip,
}, async t => {
  const home = realpathSync(mkdtempSync(path.join(import.meta.dirname, '.home-')))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const project = path.join(home, 'p')
  mkdirSync(project)
  const made = sandboxFor(
    { mode: 'auto', memory: 200, processes: 64 },
    { project, home, gopiHome: path.join(home, '.gopi'), env: process.env },
  )
  assert.equal(await made?.rules.problem('sandbox-work'), undefined)
  const shell = createShell({ cwd: project, env: process.env, ...(made && { wall: made.wall }) })
  t.after(() => shell.close())
  const run = (command: string, where: CommandOptions['where']) =>
    shell.run(command, {
      ...{ signal: new AbortController().signal, timeout: 20_000, maxOutput: 1 << 16, where },
      spillDir: async () => home,
    })
  for (const where of ['sandbox-read', 'sandbox-work'] as const) {
    const { output } = await run('ulimit -v; ulimit -u; ulimit -v unlimited 2>&1; ulimit -Hv', where)
    assert.match(output, /^204800\n64\n.*\n204800\n$/s)
    // tail keeps a line in its memory until it ends.
    const bomb = await run('head -c 500000000 /dev/zero | tail -n 1 | wc -c', where)
    assert.doesNotMatch(bomb.output, /^500000000$/m)
    assert.equal((await run('echo on', where)).output, 'on\n')
  }
})

test('in profile work the project changes, and nothing that is protected', { skip }, async t => {
  const { home, project, run } = await open(t)
  for (const attack of ATTACKS.slice(1)) await run(`cd '${project}'; ${attack}`, work)
  const tries = [
    '.git/config',
    '.git/hooks/x',
    '.git/hooks/pre-commit',
    'AGENTS.md',
    '.github/workflows/ci.yml',
    '.env',
    '../other.txt',
    '~/.ssh/id_rsa',
    '~/.bashrc',
  ]
  for (const file of tries)
    await run(`cd '${project}'; echo EVIL > ${file}; rm -f ${file}; mv ${file} gone`, work)
  for (const [name, text] of Object.entries(FILES))
    if (name !== 'p/a.txt') assert.equal(readFileSync(path.join(home, name), 'utf8'), text, name)
  assert.equal(existsSync(path.join(home, '.bashrc')), false)
  assert.equal(
    (await run('mkdir -p build && echo done > build/x && git init -q build/r; cat build/x', work)).output,
    'done\n',
  )
})

test('what is protected and made there gets another name, which is told', { skip }, async t => {
  const { project, run } = await open(t)
  for (const name of ['CLAUDE.md', '.vscode', '.envrc', '.git/commondir']) {
    const { notes } = await run(`${name === '.vscode' ? 'mkdir' : 'touch'} ${name}`, work)
    assert.match(notes.join(), new RegExp(`made ${name.replace('.', '\\.')}, which is protected`))
    assert.equal(existsSync(path.join(project, name)), false, name)
  }
  // What is made outside meanwhile is kept from the next command, and from what still ran.
  await run(
    '(until grep -h CANARY .env.new > stolen; do sleep 0.02; done; sleep 100) >/dev/null 2>&1 &',
    work,
  )
  await run('echo mine > GEMINI.md; echo > .env.new')
  await run('true', work)
  writeFileSync(path.join(project, '.env.new'), 'CANARY-8\n')
  const { output } = await run('echo EVIL > GEMINI.md; cat .env.new', work)
  assert.doesNotMatch(output, /CANARY/)
  assert.equal(readFileSync(path.join(project, 'GEMINI.md'), 'utf8'), 'mine\n')
  assert.equal(readFileSync(path.join(project, 'stolen'), 'utf8'), '')
})

test('what a process that lives on makes there later is found, too', { skip }, async t => {
  const { project, run, shell } = await open(t)
  const later = (name: string) =>
    run(
      `(until test -e go; do sleep 0.02; done; mkdir -p ${path.dirname(name)}; echo EVIL > ${name}; touch done; sleep 100) >/dev/null 2>&1 &`,
      work,
    )
  const made = async () => {
    writeFileSync(path.join(project, 'go'), '')
    while (!existsSync(path.join(project, 'done'))) await setTimeout(20)
    for (const name of ['go', 'done']) rmSync(path.join(project, name))
  }
  rmSync(path.join(project, '.git/hooks'), { recursive: true })
  await later('.git/hooks/pre-commit')
  await made()
  // Whatever runs next, and wherever: it is gone before that.
  const { notes, output } = await run('ls .git')
  assert.doesNotMatch(output, /^hooks$/m)
  assert.match(notes.join(), /made \.git\/hooks, which is protected/)
  // Nothing runs next.
  await later('.vscode/tasks.json')
  await made()
  while (existsSync(path.join(project, '.vscode'))) await setTimeout(20)
  assert.match((await run('true', work)).notes.join(), /made \.vscode/)
  // What commands outside make meanwhile, the person wants to be there.
  await run('echo mine > GEMINI.md')
  await run('true')
  await run('true', work)
  assert.ok(existsSync(path.join(project, 'GEMINI.md')))
  await later('.envrc')
  await made()
  await shell.close()
  assert.equal(existsSync(path.join(project, '.envrc')), false)
})

test('variables whose names tell of secrets are not there', { skip }, async t => {
  const { run } = await open(t)
  const names = [
    'GH_TOKEN',
    'DB_PASSWORD',
    'AWS_SECRET_ACCESS_KEY',
    'PGPASSWORD',
    'OPENAI_API_KEY',
    'npm_config__authToken',
  ]
  const others = ['TOKENIZERS_PARALLELISM', 'KEYBOARD', 'COMPASS_DIR', 'AUTHOR']
  await run(`export ${[...names, ...others].map(name => `${name}=CANARY`).join(' ')}`)
  for (const where of [read, work]) {
    const { output } = await run('env | grep CANARY | sort', where)
    assert.equal(
      output,
      [...others]
        .sort()
        .map(name => `${name}=CANARY\n`)
        .join(''),
    )
  }
  assert.match((await run('echo $GH_TOKEN')).output, /CANARY/)
})

test('secrets, gopi and other processes are not there to be seen, nor is a network', { skip }, async t => {
  const { home, run } = await open(t)
  const server = createServer(socket => socket.end('CANARY-net\n'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const socket = path.join(home, 'named.sock')
  const named = createServer(other => other.end('CANARY-socket\n'))
  await new Promise<void>(resolve => named.listen(socket, resolve))
  t.after(() => named.close())
  const { port } = server.address() as { port: number }
  for (const where of [read, work]) {
    const { output } = await run(
      `grep -rs CANARY ~ ; cat ~/.ssh/id_rsa .env ~/.aws/credentials; ls -R ~/.gopi ~/.ssh
      exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3
      node -e 'require("net").connect("${socket}").on("data",d=>console.log(String(d))).on("error",e=>console.log(e.code))'
      kill -0 ${process.pid} && echo CANARY-sees; cat /proc/${process.pid}/environ; tr '\\0' '\\n' < /proc/1/environ | grep -c GOPI_NEVER`,
      where,
    )
    assert.doesNotMatch(output, /CANARY/)
  }
})

test('directory, variables, functions and background processes survive in it, and no word comes out', {
  skip,
}, async t => {
  const { project, shell, run } = await open(t)
  mkdirSync(path.join(project, 'src'))
  await run('export OUT=1; A=outside')
  await run(
    'cd src; A=5; f() { echo "f$A$OUT"; }; export PATH="$PWD:$PATH" MORE=/x IN=1; sleep 100 & :',
    work,
  )
  assert.equal(shell.cwd, path.join(project, 'src'))
  const { output } = await run('f; pwd; jobs | grep -c sleep', work)
  assert.match(output, new RegExp(`f51\n${project}/src\n1\n$`))
  assert.equal((await run('echo "$A-$IN-$MORE"; pwd')).output, `outside--\n${project}/src\n`)
  await run('export OUT=2; cd ..')
  assert.match((await run('f; pwd', work)).output, new RegExp(`f52\n${project}\n$`))
  const { ended } = await run('sleep 100', { ...work, timeout: 300 })
  assert.equal(ended, 'timeout')
  assert.equal((await run('echo on', work)).output, 'on\n')
})

test('while something in it can change what a name means, a line that only reads does so where secrets are hidden', {
  skip,
}, async t => {
  const { project, shell, run } = await open(t)
  const beside = shell.beside()
  t.after(() => beside.close())
  writeFileSync(path.join(project, 'there.txt'), 'there\n')
  const sees = async () => {
    const line = 'cat there.txt ~/.ssh/id_rsa'
    const options = {
      ...{ signal: new AbortController().signal, timeout: 20_000 },
      ...{ maxOutput: 1 << 16, spillDir: async () => project },
    }
    const outputs = [await run(line, { where: 'harmless' }), await beside.run(line, options)]
    for (const { output } of outputs) assert.match(output, /^there\n/)
    return outputs.map(({ output }) => output.includes('CANARY'))
  }
  await run('true', work)
  assert.deepEqual(await sees(), [true, true])
  await run('sleep 1000 & echo $! > pid', work)
  assert.deepEqual(await sees(), [false, false])
  await run('cd sub', { where: 'harmless' })
  assert.equal(shell.cwd, path.join(project, 'sub'))
  await run('kill $(cat ../pid); wait; cd ..', work)
  assert.deepEqual(await sees(), [true, true])
})

test('the profile of macOS says all of it, the strictest last', () => {
  const text = seatbeltProfile(
    {
      ...{ project: '/p "q"', canWrite: true, network: false, scratch: () => true },
      ...{ hidden: [{ path: '/h/.ssh', isDirectory: true }], kept: ['/p/.git/hooks'], held: ['/p/.git'] },
    },
    '/t/pipes',
  )
  const order = [
    '(deny file-write*)',
    '(allow file-write* (subpath "/t/pipes") (subpath "/p \\"q\\"")',
    '(deny file-write* (subpath "/p/.git/hooks"))',
    '(deny file-write-unlink (literal "/p/.git"))',
    '(deny file-read* file-write* (subpath "/h/.ssh"))',
    '(deny network*)',
  ]
  const places = order.map(rule => text.indexOf(rule))
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  )
  assert.ok(
    places.every(place => place > 0),
    text,
  )
  const readOnly = seatbeltProfile(
    { project: '/p', canWrite: false, network: true, hidden: [], kept: [], held: [], scratch: () => true },
    '/t',
  )
  assert.doesNotMatch(readOnly, /\(subpath "\/p"\)|deny network/)
})

test('without bubblewrap it says so, and one of the project’s is none', {
  skip: process.platform !== 'linux',
}, async () => {
  const ground = { project: '/tmp', home: '/tmp', gopiHome: '/tmp/x', network: [] }
  const problem = await createSandbox({ ...ground, env: { PATH: '/nowhere:relative' } }).problem(
    'sandbox-read',
  )
  assert.equal(problem, 'bubblewrap (bwrap) is not installed')
  const project = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-test-')))
  writeFileSync(path.join(project, 'bwrap'), '#!/bin/sh\necho held\n', { mode: 0o755 })
  assert.match(
    (await createSandbox({ ...ground, project, env: { PATH: project } }).problem('sandbox-read')) ?? '',
    /not installed/,
  )
  rmSync(project, { recursive: true })
})

test('where the project is gone, that is why there is no sandbox', { skip }, async t => {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-gone-')))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const project = path.join(home, 'p')
  const sandbox = createSandbox({
    ...{ project, home, gopiHome: path.join(home, '.gopi') },
    ...{ env: process.env, network: [] },
  })
  assert.equal(await sandbox.problem('sandbox-read'), `the directory ${project} is gone`)
})
