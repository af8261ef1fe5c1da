/** The demo as a newcomer meets it: the real house, its tools on real files, its own prompt and dialects. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { rules } from '../../src/demo/rules/rules.ts'
import { openHouse } from '../support/house.ts'

const files = {
  'README.md': '# Beaver\n\nBuilds dams from sticks.\n',
  'src/dam.js': "// TODO: wider\nconst height = 1\nthrow new Error('the dam broke')\n",
  'package.json': '{ "name": "beaver", "scripts": { "dam": "node src/dam.js" } }\n',
}

for (const dialect of ['native', 'react', 'json'] as const) {
  it(`a conversation with the demo in ${dialect}`, async t => {
    const { session, server, cwd, events } = await openHouse(t, {
      model: rules(),
      files,
      config: { ollama: { tool_calling: dialect } },
    })
    const ask = async (words: string): Promise<{ text: string; tools: string[] }> => {
      const before = events.length
      const { text, reason } = await session.prompt(words)
      assert.equal(reason, 'done')
      const tools = events
        .slice(before)
        .flatMap(event => (event.type === 'tool_call_start' ? [event.name] : []))
      return { text, tools }
    }

    const overview = await ask('What is in this project?')
    assert.deepEqual(overview.tools, ['ls', 'find', 'read', 'read'])
    assert.match(overview.text, /\*\*Beaver\*\*.*Builds dams from sticks.*npm run dam/s)

    const created = await ask('创建 notes/hello.txt，内容为 你好，世界')
    assert.deepEqual(created.tools, ['write'])
    assert.equal(readFileSync(path.join(cwd, 'notes/hello.txt'), 'utf8'), '你好，世界\n')

    const replaced = await ask('Replace sticks by stones in README.md')
    assert.deepEqual(replaced.tools, ['read', 'edit'])
    assert.equal(readFileSync(path.join(cwd, 'README.md'), 'utf8'), '# Beaver\n\nBuilds dams from stones.\n')

    assert.match((await ask('find all javascript files')).text, /1 file matches.*src\/dam\.js/s)
    assert.match((await ask('search for TODO')).text, /1 line of 1 file.*src\/dam\.js:1/s)
    assert.match((await ask('搜索 nowhere-to-be-found')).text, /没有找到“nowhere-to-be-found”/)

    const failed = await ask('Why does `node src/dam.js` fail?')
    assert.deepEqual(failed.tools, ['bash', 'read'])
    assert.match(failed.text, /exit code 1\b.*the dam broke.*const height = 1/s)

    assert.match((await ask('run `echo $((6 * 7))`')).text, /^42$/m)
    assert.match((await ask('read nothing.txt')).text, /did not work/)
    assert.deepEqual(server.violations, [])
  })
}
