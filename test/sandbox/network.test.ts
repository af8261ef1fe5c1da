/** Named hosts in the sandbox, with the programs that people use, and real servers. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createRawServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Approval } from '../../src/agent/run.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { seatbeltProfile } from '../../src/sandbox/seatbelt.ts'
import { Bash } from '../../src/shell/bash.ts'
import { shellEnvironment } from '../../src/shell/environment.ts'
import { listProcesses } from '../../src/shell/process.ts'
import { type CommandOptions, createShell } from '../../src/shell/shell.ts'
import { whyStopped } from '../../src/shell/stopped.ts'
import { call, openHouse } from '../support/house.ts'
import { noWall } from './walls.ts'

const skip = noWall === undefined ? false : `no sandbox here: ${noWall}`
const onlyLinux = skip || (process.platform === 'linux' ? false : 'the bridge is for Linux')

async function web(t: TestContext) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.host}`)
    response.setHeader('connection', 'close').end('CANARY-web\n')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { asked, port, here: `127.0.0.1:${port}` }
}

async function open(t: TestContext, network: string[], env: NodeJS.ProcessEnv = process.env) {
  const home = realpathSync(mkdtempSync(path.join(import.meta.dirname, '.home-')))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const project = path.join(home, 'p')
  mkdirSync(project)
  const ground = { project, home, gopiHome: path.join(home, '.gopi'), env: { ...env, HOME: home } }
  const sandbox = createSandbox({ ...ground, network })
  t.after(() => sandbox.close())
  assert.equal(await sandbox.problem('sandbox-work'), undefined)
  const shell = createShell({ cwd: project, wall: sandbox, env: ground.env })
  t.after(() => shell.close())
  const run = (command: string, options: Partial<CommandOptions> = {}) =>
    shell.run(command, {
      ...{ signal: new AbortController().signal, timeout: 30_000, maxOutput: 1 << 16 },
      spillDir: async () => home,
      where: 'sandbox-work',
      ...options,
    })
  return { home, project, sandbox, shell, run }
}

/** What this process has of it: directories for the socket, and processes of a bridge. */
const left = async () => [
  ...readdirSync(tmpdir()).filter(name => name.startsWith(`gopi-net-${process.pid}-`)),
  ...(await listProcesses()).filter(({ command }) => command.includes(`gopi-net-${process.pid}-`)),
]

test('a named host is reached, another is not, and nothing is reached beside the proxy', {
  skip,
}, async t => {
  const { asked, here, port } = await web(t)
  const other = await web(t)
  const { run } = await open(t, [here, 'named.invalid'])
  assert.equal((await run(`curl -sS http://${here}/a`)).output, 'CANARY-web\n')
  assert.equal((await run(`curl -sSp http://${here}/b`)).output, 'CANARY-web\n')
  assert.deepEqual(asked, [`GET /a ${here}`, `GET /b ${here}`])

  const refused = await run(`curl -sSf https://${other.here}/ http://evil.invalid/`)
  assert.match(refused.output, /403/)
  assert.deepEqual(refused.reach, {
    named: [here, 'named.invalid'],
    refused: [other.here, 'evil.invalid:80'],
  })
  assert.deepEqual((await run('false')).reach?.refused, [])
  assert.match(
    (await run(`curl -sS http://evil.invalid/`)).output,
    /^gopi: evil\.invalid:80 is not reached from the sandbox/,
  )
  assert.match((await run('curl -sS https://named.invalid/')).output, /502/)

  for (const line of [
    `curl -sS --noproxy '*' http://${here}/`,
    `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`,
    `node -e 'require("net").connect(${port}, "127.0.0.1").on("error", e => console.log(e.code)).on("connect", () => console.log("CANARY"))'`,
    `curl -sS --noproxy '*' -m 5 http://1.1.1.1/`,
  ])
    assert.doesNotMatch((await run(line)).output, /CANARY/)
  assert.equal((await run('grep -c : /proc/net/dev')).output, process.platform === 'linux' ? '1\n' : '')
  assert.deepEqual([asked.length, other.asked], [2, []])
})

test('git, npm, python and whatever heeds the variables go through it', { skip }, async t => {
  const { asked, here } = await web(t)
  const { run } = await open(t, [here])
  await run(`git ls-remote http://${here}/repo.git`)
  await run(`npm view left-pad --registry http://${here}/ --fetch-retries 0`)
  await run(`python3 -c 'import urllib.request as r; print(r.urlopen("http://${here}/py").read())'`)
  assert.ok(asked.includes(`GET /repo.git/info/refs?service=git-upload-pack ${here}`), asked.join())
  assert.ok(asked.includes(`GET /left-pad ${here}`), asked.join())
  assert.ok(asked.includes(`GET /py ${here}`), asked.join())
  const { output } = await run('echo "$HTTPS_PROXY $https_proxy $ALL_PROXY $http_proxy $NODE_USE_ENV_PROXY"')
  assert.match(output, /^(http:\S+) \1 \1 \1 1\n$/)
})

test('what a command serves in the sandbox it reaches there, unless this machine was named', {
  skip: onlyLinux,
}, async t => {
  const { run } = await open(t, ['example.com'])
  const serve = `node -e '
    const server = require("http").createServer((q, r) => r.end("mine")).listen(0, "127.0.0.1", () =>
      require("child_process").execFile("curl", ["-sS", "http://localhost:" + server.address().port], (_, out, err) => {
        console.log(out + err); process.exit() }))'`
  assert.equal((await run(serve)).output, 'mine\n')
  assert.equal((await run('echo $NO_PROXY')).output, 'localhost,127.0.0.1,::1\n')
  const named = await open(t, ['localhost:8080', '[::1]:8080'])
  assert.equal((await named.run('echo $NO_PROXY $no_proxy')).output, '127.0.0.1 127.0.0.1\n')
})

test('the bridge is no child of bash, and dies with it and nobody else', { skip: onlyLinux }, async t => {
  const { here } = await web(t)
  const { run, sandbox, project } = await open(t, [here])
  const reached = async () => (await run(`curl -sS http://${here}/`)).output === 'CANARY-web\n'
  const { output } = await run(
    'jobs; wait; pkill node; killall -q node; sleep 100 & echo on; ps -o comm= --ppid $$ | sort',
  )
  assert.match(output, /^on\n(?:bash\n|ps\n|sort\n)*sleep\n(?:sort\n)?$/)
  assert.ok(await reached())
  // What is cut takes its bash along, and the next one has a way as well.
  assert.equal((await run('sleep 100', { timeout: 300 })).ended, 'timeout')
  assert.ok(await reached())
  const { notes } = await run('kill -9 $PPID; sleep 100')
  assert.match(notes.join(), /ended the shell itself/)
  assert.ok(await reached())
  assert.match((await run('exit 3')).notes.join(), /exit code 3/)
  assert.ok(await reached())

  const bash = new Bash({
    ...{ program: '/bin/bash', cwd: project, env: shellEnvironment(process.env, 'x'), restore: ':' },
    launch: sandbox.launch('sandbox-work'),
  })
  t.after(() => bash.kill())
  const pipe = (await bash.takeChannel())?.path ?? ''
  assert.equal(bash.isAlone(await listProcesses()), true)
  await bash.run('sleep 100 & :', { pipe, status: 0, flags: '' })
  assert.equal(bash.isAlone(await listProcesses()), false)
})

test('the bridge keeps nothing that gopi was given by whoever started it', { skip: onlyLinux }, async t => {
  const { sandbox, project, home } = await open(t, ['example.com'])
  const script = 'ls -l /proc/$PPID/fd /proc/$$/fd; ls /proc/$PPID/fd/9/ /proc/$PPID/fd/251/'
  const directory = path.join(home, 'pipes')
  mkdirSync(directory)
  const { program, args } = sandbox.launch('sandbox-work')(['/bin/bash', '-c', script], {
    cwd: project,
    directory,
  })
  const child = spawn('bash', ['-c', `exec 9<'${home}' 251</; exec "$@"`, 'bash', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', bytes => (said += bytes))
  await once(child, 'close')
  const [bridge = '', own = ''] = said.split(/\/proc\/\d+\/fd:\n/).slice(1)
  assert.match(bridge, /socket:/)
  assert.doesNotMatch(bridge, / 251 -> | -> \/(?!dev\/)/)
  // Bash itself closes what it was given when gopi begins to talk to it.
  assert.doesNotMatch(own, / (?:9|251) -> /)
  assert.doesNotMatch(said, /:\n(?:bin|boot|p)\n/)
})

test('orphans in a sandbox do not hide bash from who cuts a command', { skip: onlyLinux }, async t => {
  for (const network of [[], ['example.com']]) {
    const { run, project } = await open(t, network)
    await run('(sleep 100 & sleep 101 &)')
    const { ended } = await run('trap "" TERM; while :; do sleep 0.01; echo >> on; done', { timeout: 500 })
    assert.equal(ended, 'timeout')
    const size = () => readFileSync(path.join(project, 'on')).length
    const after = size()
    await run('sleep 0.1')
    assert.equal(size(), after)
  }
})

test('what the person’s own shell says of proxies does not come in', { skip }, async t => {
  const { here } = await web(t)
  const { run } = await open(t, [here], {
    ...process.env,
    HTTP_PROXY: 'http://me:CANARY-pw@127.0.0.1:9',
    no_proxy: '*',
  })
  await run(
    'export https_proxy=http://127.0.0.1:9 HTTP_PROXY=http://127.0.0.1:9 no_proxy=127.0.0.1 OTHER=1',
    {
      where: undefined,
    },
  )
  assert.equal((await run(`curl -sS http://${here}/; echo $OTHER`)).output, 'CANARY-web\n1\n')
  assert.doesNotMatch((await run('env')).output, /CANARY-pw/)
  assert.equal((await run('echo $https_proxy', { where: undefined })).output, 'http://127.0.0.1:9\n')
})

test('the other sandbox has no way, and who names no host pays nothing', { skip: onlyLinux }, async t => {
  const { here } = await web(t)
  const plain = await open(t, [])
  const before = await left()
  // By bash itself: the processes of a pipe would be there, or not yet.
  const count = async (run: typeof plain.run, where: CommandOptions['where']) =>
    Number((await run('all=(/proc/[0-9]*); echo ${#all[@]}', { where })).output)
  const inPlain = await count(plain.run, 'sandbox-work')
  assert.equal(plain.shell.cwd, plain.project)
  assert.deepEqual(await left(), before)
  assert.equal((await plain.run('env | grep -ci _proxy', { where: 'sandbox-work' })).output, '0\n')
  assert.equal((await plain.run('false')).reach, undefined)

  const { run } = await open(t, [here])
  assert.equal(await count(run, 'sandbox-work'), inPlain + 1)
  assert.equal(await count(run, 'sandbox-read'), inPlain)
  const { output, reach } = await run(`curl -sS http://${here}/; env | grep -ci _proxy; ls /tmp`, {
    where: 'sandbox-read',
  })
  assert.doesNotMatch(output, /CANARY|gopi-net/)
  assert.equal(reach, undefined)
})

test('the whole network is not asked for at a proxy', { skip: onlyLinux }, async t => {
  const { here } = await web(t)
  const { run } = await open(t, ['example.com', '*'])
  const { output, reach } = await run(`curl -sS http://${here}/; env | grep -ci _proxy`)
  assert.equal(output, 'CANARY-web\n0\n')
  assert.equal(reach, undefined)
})

test('nothing is left of it, whatever still goes on', { skip: onlyLinux }, async t => {
  let connected = () => {}
  const isConnected = new Promise<void>(resolve => {
    connected = resolve
  })
  const silent = createRawServer(socket => {
    connected()
    socket.on('error', () => {}).resume()
  })
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  t.after(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const { run, shell } = await open(t, [`127.0.0.1:${port}`])
  await run(
    `curl -sS http://127.0.0.1:${port}/ >/dev/null 2>&1 & curl -sSp http://127.0.0.1:${port}/ >/dev/null 2>&1 & :`,
  )
  await isConnected
  assert.equal((await left()).length > 0, true)
  await shell.close()
  assert.deepEqual(await left(), [])
  // No connection is left that the server would have to end.
  await new Promise<void>(resolve => silent.close(() => resolve()))
})

test('where there is no way the sandbox does not hold, and says so', { skip: onlyLinux }, async t => {
  const home = realpathSync(mkdtempSync(path.join(import.meta.dirname, '.home-')))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const ground = { project: home, home, gopiHome: path.join(home, '.gopi') }
  const sandbox = createSandbox({
    ...{ ...ground, network: ['example.com'] },
    env: { ...process.env, NODE_OPTIONS: '--require /nowhere/at/all.js' },
  })
  assert.equal(await sandbox.problem('sandbox-read'), undefined)
  assert.match((await sandbox.problem('sandbox-work')) ?? '', /\w/)
  await sandbox.close()
  assert.deepEqual(await left(), [])
})

test('what the sandbox refused is offered outside, with the reason; the model is told the host', {
  skip,
}, async t => {
  const approvals: Approval[] = []
  const { session, journal } = await openHouse(t, {
    replies: [
      call('bash', { command: 'curl -sSf http://evil.invalid/' }),
      call('bash', { command: 'curl -sf http://named.invalid/' }),
      'Done.',
    ],
    config: { permission: { mode: 'auto-edit' }, sandbox: { network: ['named.invalid'] } },
    async approve(approval) {
      approvals.push(approval)
      return { allow: approvals.length > 1 }
    },
  })
  await session.prompt('go')
  const results = journal().flatMap(entry =>
    entry.type === 'message' && entry.role === 'tool' ? [entry.content] : [],
  )
  const told = journal().flatMap(entry => (entry.type === 'permission' ? [entry.why] : []))
  assert.equal(
    told[0],
    'runs in the sandbox, where it can change the project only and reach only named.invalid',
  )
  assert.match(approvals[0]?.why ?? '', /^the sandbox stopped it, for it wanted the network; /)
  assert.match(
    results[0] ?? '',
    /It ran in a sandbox that reaches only what sandbox\.network names \(named\.invalid\), by HTTPS_PROXY; refused: evil\.invalid:80\./,
  )
  // A host that is named and dead is not the sandbox's doing.
  assert.equal(approvals.length, 1)
})

test('a refusal is taken for the reason where the output speaks of it, or of nothing', () => {
  const refused = ['evil.test:443']
  assert.equal(whyStopped('', refused), 'network')
  assert.equal(whyStopped('curl: (56) CONNECT tunnel failed, response 403', refused), 'network')
  assert.equal(whyStopped('request to https://evil.test/x failed', refused), 'network')
  assert.equal(whyStopped('1 test failed', refused), undefined)
  assert.equal(whyStopped('1 test failed: 403'), undefined)
  assert.equal(whyStopped(''), undefined)
  assert.equal(whyStopped('touch: Read-only file system', refused), 'written')
})

test('macOS lets out to the proxy alone', () => {
  const ground = { project: '/p', canWrite: true, hidden: [], kept: [], held: [], scratch: () => true }
  const text = seatbeltProfile({ ...ground, network: { port: 1234 } }, '/t')
  const [deny, allow] = ['(deny network*)', '(allow network-outbound (remote ip "localhost:1234"))']
  assert.ok(text.indexOf(deny) > 0 && text.indexOf(allow) > text.indexOf(deny), text)
  assert.equal(text.match(/network/g)?.length, 2)
})
