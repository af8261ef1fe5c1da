// node test/smoke.mjs COMMAND…: the program as it is shipped, in an empty environment and directory: version, help, an answer of
// the demo with a tool, what doctor finds, and no server. For the packed package and for the single executable.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const [program, ...first] = process.argv.slice(2)
const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-smoke-')))
const env = { HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin', OLLAMA_HOST: '127.0.0.1:9', LANG: 'C.UTF-8' }

/** Ends with this code, and says this. */
function says(args, code, stdout, stderr = /^/) {
  const ended = spawnSync(program, [...first, ...args], {
    cwd: home,
    env,
    encoding: 'utf8',
    input: '',
    timeout: 60_000,
  })
  const told = `${args.join(' ')}: ${ended.status} ${ended.error ?? ''}\n${ended.stdout}\n${ended.stderr}`
  assert.equal(ended.status, code, told)
  assert.match(ended.stdout, stdout, told)
  assert.match(ended.stderr, stderr, told)
  return ended.stdout
}

try {
  says(['--version'], 0, /^gopi \d+\.\d+\.\d+\n$/)
  says(['--help'], 0, /--output-format/)
  says(['-p', '--demo', '--yolo', 'Create hello.txt with Hello'], 0, /hello\.txt/)
  says(['-p', '--demo', 'Read hello.txt'], 0, /Hello/)
  says(['-p', 'x'], 3, /^$/, /No Ollama answers/)
  const found = says(['doctor'], 1, /^ok +bash/m)
  if (/^ok +sandbox/m.test(found)) {
    // The bridge of the sandbox is this program, or its text: it is tried out.
    mkdirSync(path.join(home, '.gopi'), { mode: 0o700, recursive: true })
    writeFileSync(path.join(home, '.gopi/config.yaml'), 'sandbox: { network: [example.com] }\n', {
      mode: 0o600,
    })
    says(['doctor'], 1, /^ok +sandbox.* reach only example\.com/m)
  }
  says(['sessions'], 0, /hello\.txt/)
  says(['completion', 'fish'], 0, /^complete -c gopi/)
  console.log(`${path.basename(program)}: all as it should be`)
} finally {
  rmSync(home, { recursive: true, force: true })
}
