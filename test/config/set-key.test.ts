import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { withKey, writeKey } from '../../src/config/set-key.ts'

test('a key is set where it belongs; comments stay, the old file lies beside it, and nonsense is refused', t => {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-set-')))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const file = path.join(directory, 'config.yaml')
  const set = (key: string, value: string) => {
    const changed = withKey(file, key, value)
    writeKey(file, changed)
    return readFileSync(file, 'utf8')
  }
  assert.equal(set('ollama.model', 'qwen3:8b'), 'ollama:\n  model: qwen3:8b\n')
  const before =
    '# mine\nollama:\n  model: "a" # the fast one\n  think: off\ntui:\n  # theme: dark\nmax_turns: 5\n'
  writeFileSync(file, before)
  assert.match(
    set('ollama.model', 'b'),
    /^# mine\nollama:\n {2}model: b # the fast one\n[\s\S]*# theme: dark\n/,
  )
  assert.equal(readFileSync(`${file}.bak`, 'utf8'), before)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.match(set('tui.theme', 'light'), /tui:\s+(?:# theme: dark\s+)?theme: light\n/)
  assert.match(set('permission.deny', '["Bash(rm *)"]'), /deny:\n? *.*Bash\(rm \*\)/)
  assert.match(set('max_turns', '0'), /max_turns: 0/)
  for (const [key, value] of [
    ['ollama.modle', 'x'],
    ['tui.theme', 'hot pink'],
    ['max_turns', 'many'],
  ] as const)
    assert.throws(() => withKey(file, key, value), /config\.yaml/, key)
  const stale = withKey(file, 'max_turns', '7')
  writeFileSync(file, 'max_turns: 6\n')
  assert.throws(() => writeKey(file, stale), /changed meanwhile/)
})
