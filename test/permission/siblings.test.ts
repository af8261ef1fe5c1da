/** Other ways of writing what the shared cases are about: the class is solved, not the list. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Decision } from '../../src/permission/permission.ts'
import { type Asked, makeProject } from './ground.ts'

interface Group {
  decision: Decision['decision']
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
