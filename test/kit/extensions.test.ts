import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { register } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { extensionSources } from '../../src/kit/extensions/extensions.ts'
import { ZH } from '../../src/words/zh.ts'
import { call, openHouse } from '../support/house.ts'

// Before 22.18 Node runs no TypeScript by itself, which a person is told; here it is lent the ability.
if (!('typescript' in process.features)) register('../support/typescript-hooks.mjs', import.meta.url)

const fixture = (name: string) => ({ path: path.join(import.meta.dirname, '../fixtures/extensions', name) })

test('the three examples work: a tool in TypeScript, one as a shell script, a commit at the end of a run', async t => {
  const house = await openHouse(t, {
    files: { 'text.txt': 'one two\nthree' },
    replies: [
      call('count_words', { path: 'text.txt' }),
      call('count_words', {}),
      call('disk_usage', {}),
      'Done.',
      'Shorter.',
    ],
    sources: ({ cwd }) =>
      extensionSources(['count-words.ts', 'disk-usage.sh', 'auto-commit.mjs'].map(fixture), {
        ...{ cwd, env: process.env },
      }),
  })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'core.hooksPath=/dev/null', ...args], { cwd: house.cwd, encoding: 'utf8' })
  git('init', '-q')
  git('config', 'user.email', 'a@b.c')
  git('config', 'user.name', 'a')
  await house.session.prompt('go')
  const results = house.sent(3).filter(({ role }) => role === 'tool')
  assert.equal(results[0]?.content, '3 words')
  assert.match(results[1]?.content ?? '', /path/)
  assert.match(results[2]?.content ?? '', /^\d+ KB$/)
  const note = await house.seen(event => event.type === 'notice' && event.code === 'extension_says')
  assert.equal('message' in note && note.message, 'auto-commit.mjs: committed what the run has changed')
  assert.equal(git('log', '--format=%s'), 'Work of gopi\n')
  await house.session.prompt('/shorter text.txt')
  assert.match(house.sent(4).at(-1)?.content ?? '', /^Make text\.txt a third shorter/)
})

test('one that fails is named and left out, and one that fails later is said; the rest works', async t => {
  const house = await openHouse(t, {
    replies: [call('slow', {}), call('broken', {}), call('odd', {}), 'Done.'],
    sources: async ({ cwd }) => {
      const put = (name: string, text: string) => {
        const file = path.join(cwd, name)
        writeFileSync(file, text)
        if (name.endsWith('.sh')) chmodSync(file, 0o755)
        return { path: file }
      }
      const tools = ['slow', 'broken', 'odd'].map(name => `{"name":"${name}","description":"x"}`).join(',')
      const rows: [name: string, text: string, why: RegExp][] = [
        ['throws.mjs', 'throw new Error("no luck")', /: no luck$/],
        ['nothing.mjs', 'export const a = 1', /no function as its default export$/],
        ['syntax.mjs', 'export default (', /: .+/],
        ['rejects.mjs', 'export default async () => { throw new Error("later") }', /: later$/],
        ['exit.sh', '#!/bin/sh\necho why >&2; exit 3', /--describe: exit 3: why$/],
        ['garbage.sh', '#!/bin/sh\necho hello', /--describe: no JSON came$/],
        ['names.sh', `#!/bin/sh\necho '{"tools":[{"name":"a b"}]}'`, /expected a name/],
        ['endless.sh', '#!/bin/sh\nyes 2>/dev/null', /--describe: too_much$/],
        ['plain.txt', 'x', /EACCES/],
      ]
      const files = rows.map(([name, text]) => put(name, text))
      const sources = await extensionSources(
        [
          ...files,
          { path: path.join(cwd, 'nowhere.mjs') },
          put(
            'ok.mjs',
            'export default gopi => { gopi.note("hi"); gopi.on("agent_end", () => { throw new Error("oh") }) }',
          ),
          put(
            'tools.sh',
            `#!/bin/sh
[ "$1" = --describe ] && { echo '{"tools":[${tools}]}'; exit; }
case "$(cat)" in
*slow*) echo '{"progress":"1"}'; echo '{"progress":"2"}'; echo '{"output":"slow done"}';;
*broken*) echo '{"output":"it broke"}'; exit 4;;
*) echo 'no json';;
esac`,
          ),
        ],
        { cwd, env: process.env },
      )
      const refused = sources.flatMap(source => source.refused ?? [])
      assert.equal(refused.length, rows.length + 1)
      for (const [name, , why] of rows) {
        const one = refused.find(({ facts }) => String(facts.file).endsWith(`/${name}`))
        assert.match(one?.message ?? '', why, name)
        assert.match(one ? ZH.say(one) : '', /未使用扩展/)
      }
      return sources
    },
  })
  await house.session.prompt('go')
  const results = house.sent(3).filter(({ role }) => role === 'tool')
  assert.deepEqual(
    results.map(({ content }) => content),
    ['slow done', 'it broke', 'expected a last line {"output": TEXT}'],
  )
  const shown = house.events.flatMap(event => (event.type === 'tool_output' ? [event.text] : []))
  assert.equal(shown.join(''), '1\n2\n')
  await house.seen(event => event.type === 'notice' && event.message === 'The extension ok.mjs failed: oh')
  const told = house.journal().flatMap(entry => (entry.type === 'notice' ? [entry.message] : []))
  assert.ok(told.includes('ok.mjs: hi'))
})

test('installed programs by an extension: a short list in the prompt, help on demand, asked about like any tool', async t => {
  const person = mkdtempSync(path.join(tmpdir(), 'gopi-person-'))
  const { HOME } = process.env
  t.after(() => {
    process.env.HOME = HOME
    rmSync(person, { recursive: true, force: true })
  })
  process.env.HOME = person
  const programs = ['lines', 'fails'].map(name => {
    const binPath = path.join(person, `${name}.cjs`)
    writeFileSync(
      binPath,
      name === 'fails'
        ? 'console.error("no luck"); process.exit(3)'
        : 'const [what] = process.argv.slice(2); console.log(what === "--help" ? "lines FILE: counts" : what + ": 7")',
    )
    return [name, { name: `@x/${name}`, binPath }]
  })
  mkdirSync(path.join(person, '.slothtool'))
  writeFileSync(
    path.join(person, '.slothtool/registry.json'),
    JSON.stringify({ plugins: Object.fromEntries(programs) }),
  )
  const asked: string[] = []
  const house = await openHouse(t, {
    replies: [
      call('program', { name: 'lines' }),
      call('program', { name: 'lines', args: ['a.txt'] }),
      call('program', { name: 'fails', args: ['x'] }),
      call('program', { name: 'toString' }),
      'Done.',
    ],
    config: { permission: { mode: 'ask' } },
    approve: async ({ call: { name } }) => {
      asked.push(name)
      return { allow: true }
    },
    sources: ({ cwd }) => extensionSources([fixture('installed-programs.mjs')], { cwd, env: process.env }),
  })
  await house.session.prompt('go')
  const results = house.sent(4).filter(({ role }) => role === 'tool')
  assert.deepEqual(
    results.slice(0, 2).map(({ content }) => content),
    ['lines FILE: counts\n', 'a.txt: 7\n'],
  )
  assert.match(results[2]?.content ?? '', /no luck/)
  assert.equal(results[3]?.content, 'there is no program toString')
  assert.equal(asked.length, 4)
  const { tools } = house.server.chats.at(0)!.body as unknown as {
    tools: { function: { name: string; description: string } }[]
  }
  assert.equal(
    tools.at(-1)?.function.description,
    'Run an installed program: lines, fails. Without args: its help.',
  )
})
