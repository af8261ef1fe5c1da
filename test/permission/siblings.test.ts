/** Other ways of writing what the shared cases are about: the class is solved, not the list. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { type Asked, type Judged, makeProject } from './ground.ts'

interface Group {
  decision: Judged['decision']
  name: string
  asked: Asked
  calls: string[]
}

const groups: Group[] = []
for (const line of readFileSync(
  path.join(import.meta.dirname, '../fixtures/permission-siblings.txt'),
  'utf8',
).split('\n')) {
  const [, decision, name = '', asked = ''] = /^## (\w+) (\S+) (\{.*\})$/.exec(line) ?? []
  if (decision === 'allow' || decision === 'ask' || decision === 'deny')
    groups.push({ decision, name, asked: JSON.parse(asked) as Asked, calls: [] })
  else if (line !== '' && groups.length > 0)
    groups.at(-1)?.calls.push(line.replaceAll('⏎', '\n').replaceAll('⇥', '\t'))
}

const project = makeProject({ 'key.pem': '', id_rsa: '', 'src/a.ts': '', 'package.json': '{}' })
after(project.remove)

for (const { decision, name, asked, calls } of groups) {
  test(`${name}: ${decision} (${calls.length} calls)`, async () => {
    for (const call of calls) {
      const [, tool, file] = /^@(\w+) ([\s\S]*)$/.exec(call) ?? []
      const came =
        tool === undefined || file === undefined
          ? await project.bash(call, asked)
          : await project.file(tool, file, asked)
      assert.equal(came.decision, decision, `${JSON.stringify(call)}: ${came.why}`)
      assert.match(came.why, /\w{3,}/)
    }
  })
}

test('monstrous lines are decided like any other', async () => {
  const nested = (inner: string) =>
    `for i in ${'a '.repeat(64)}; do bash -c '${inner.replaceAll("'", `'\\''`)}' "$i"; done`
  const lines = [
    nested(nested(nested('x'))),
    ...[
      'a;',
      'sudo ',
      'watch docker exec ',
      'poetry run ',
      'bash -c "',
      'env ',
      'eval ',
      '$(',
      'a=1 ',
      'git ',
    ].map(piece => piece.repeat(Math.floor(32_000 / piece.length))),
    ...['s/a/b/;', 'x/'].map(piece =>
      `sed '${piece.repeat(4_000)}!' ${piece.repeat(4_000)}`.slice(0, 32_000),
    ),
    ...['sudo env nice ', 'watch docker exec '].map(piece => piece.repeat(33)),
  ]
  for (const line of lines) {
    const { decision, why } = await project.bash(line)
    assert.equal(decision, 'ask', line.slice(0, 40))
    assert.ok(why.length < 500, why)
  }
})
