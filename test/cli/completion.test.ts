import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { completionScript } from '../../src/cli/completion.ts'
import { manualPage } from '../../src/cli/manual.ts'
import { COMMANDS, runOptions } from '../../src/cli/options.ts'

const all = [runOptions, ...Object.values(COMMANDS).map(({ options }) => options)].flatMap(options =>
  Object.values(options).flatMap(({ names }) => names),
)

/** What a real bash offers for a line, with a gopi that knows a model and a session. */
function offered(...lines: string[]): string[][] {
  const gopi = `gopi() { case $1 in models) printf '* qwen3:8b  5 GB\\n  qwen2.5-coder:7b  4 GB\\n' ;; sessions) echo '0abc  it is yesterday'; echo 'z$(touch run) \`touch run\`  odd' ;; esac; }`
  const ask = `ask() { COMP_LINE=$1 COMP_POINT=\${#1} COMPREPLY=(); _gopi; echo "\${COMPREPLY[*]}"; }`
  const asked = lines.map(line => `ask '${line}'`).join('\n')
  const text = execFileSync(
    'bash',
    ['--norc', '-c', `${completionScript('bash')}\n${gopi}\n${ask}\n${asked}`],
    {
      encoding: 'utf8',
    },
  )
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => line.split(' ').filter(word => word !== ''))
}

test('bash completes commands, options, their values, models and sessions', () => {
  const [start, option, choice, models, colon, agents, sessions, shells, odd, verbs] = offered(
    'gopi ',
    'gopi doctor --s',
    'gopi --mode a',
    'gopi -m ',
    'gopi -m qwen3:',
    'gopi --agent ex',
    'gopi --resume 0',
    'gopi completion z',
    'gopi --resume z',
    'gopi sessions p',
  )
  assert.ok(['doctor', 'models', '--model', '-p'].every(word => start?.includes(word)))
  assert.deepEqual(option, ['--speed'])
  assert.deepEqual(choice, ['ask', 'auto-edit'])
  assert.deepEqual(models, ['qwen3:8b', 'qwen2.5-coder:7b'])
  assert.deepEqual(colon, ['8b'])
  assert.deepEqual(agents, ['explore'])
  assert.deepEqual(sessions, ['0abc'])
  assert.deepEqual(shells, ['zsh'])
  // A word that others chose is never read as the shell's own language.
  assert.deepEqual(odd, ['z\\$\\(touch\\', 'run\\)\\', '\\`touch\\', 'run\\`'])
  assert.deepEqual(verbs, ['prune'])
})

test('the scripts of zsh and fish, and the manual, name every command and every option', () => {
  const [zsh, fish, manual] = [completionScript('zsh'), completionScript('fish'), manualPage('1.2.3')]
  for (const name of Object.keys(COMMANDS)) {
    assert.ok(zsh.includes(`    ${name}) _arguments`), name)
    assert.ok(fish.includes(` -a ${name} -d `), name)
    assert.ok(manual.includes(`.SS "gopi ${name}`), name)
  }
  for (const name of all) {
    assert.match(zsh, new RegExp(`'${name}(=-)?\\[`))
    assert.ok(fish.includes(name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`), name)
    assert.ok(manual.includes(name.replaceAll('-', '\\-')), name)
  }
  assert.equal(
    fish.split('\n').every(line => line.startsWith('complete -c gopi ')),
    true,
  )
  assert.equal(
    manual.split('\n').some(line => /^\.(?!TH|SH|SS|TP|B |I |br|PP|nf|fi)/.test(line)),
    false,
  )
})
