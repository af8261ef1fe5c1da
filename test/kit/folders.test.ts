import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { changedSinceTrusted, claims, rememberTrust, trustOf } from '../../src/assembly/trust.ts'
import { expand } from '../../src/kit/expand.ts'
import { folderSources } from '../../src/kit/folders/folders.ts'
import { kitOf } from '../../src/kit/kit.ts'
import { ZH } from '../../src/words/zh.ts'
import { call, openHouse } from '../support/house.ts'

function place(t: TestContext, files: Record<string, string> = {}) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-folders-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  for (const name of ['person', 'home', 'project']) mkdirSync(path.join(root, name))
  for (const [name, text] of Object.entries(files)) put(name, text)
  const at = (name: string) => path.join(root, name)
  const places = { home: at('home'), person: at('person'), cwd: at('project') }
  const load = async ({ trusted = true, deny = [] as string[] } = {}) =>
    kitOf(await folderSources({ ...places, trusted, deny }))
  return { ...places, root, put, at, load }
}

const skill = (description: string, body = 'Do it.', more = '') =>
  `---\ndescription: ${description}\n${more}---\n${body}\n`

const listOf = (kit: Awaited<ReturnType<ReturnType<typeof place>['load']>>) =>
  kit.tools.find(({ name }) => name === 'skill')?.description ?? ''

test('skills come from five folders, the nearest wins and that is said; a project’s only when it is trusted', async t => {
  const { load, put } = place(t)
  const none = await load()
  assert.deepEqual([none.tools, none.skills, none.hooks, none.refused], [[], [], [], []])
  for (const folder of [
    ...['person/.agents', 'home', 'project/.claude', 'project/.agents', 'project/.gopi'],
  ]) {
    put(`${folder}/skills/same/SKILL.md`, skill(`of ${folder}`))
    put(`${folder}/skills/${folder.replaceAll(/\W/g, '-')}/SKILL.md`, `# Title\n\nFirst\nparagraph.\n\nMore.`)
  }
  const kit = await load()
  assert.match(listOf(kit), /^- same: of project\/\.gopi$/m)
  assert.match(listOf(kit), /^- project--claude: First paragraph\.$/m)
  assert.equal(kit.skills.length, 6)
  assert.equal(kit.clashes.length, 4)
  assert.match(
    kit.clashes.at(-1)?.message ?? '',
    /skill same of \.gopi\/skills .* the one of \.agents\/skills/,
  )
  const alone = await load({ trusted: false })
  assert.match(listOf(alone), /^- same: of home$/m)
  assert.equal(alone.skills.length, 3)
  const denied = await load({ deny: ['Skill(same)', 'Skill(project-*)'] })
  assert.deepEqual(denied.skills.map(({ name }) => name).sort(), ['home', 'person--agents'])
  assert.deepEqual((await load({ deny: ['Skill'] })).tools, [])
})

test('what is wrong is one sentence with file and line, and is left out; the rest works', async t => {
  const { at, load, put } = place(t, { 'elsewhere/secret.txt': 'x' })
  const rows: [name: string, text: string, says: RegExp][] = [
    ['yaml', '---\ndescription: "a\nb: [\n---\nx', /yaml\/SKILL\.md:\d+: its head is no YAML: /],
    ['open', '---\ndescription: a\n', /open\/SKILL\.md:1: the line --- that ends its head is missing/],
    ['nothing', '# Only a title\n', /nothing\/SKILL\.md:1: it says nothing/],
    ['listed', skill('[a, {b: c}]'), /listed\/SKILL\.md:2: description is not what it should be/],
    ['named', skill('x', 'x', 'name: "a b"\n'), /named\/SKILL\.md:3: name is not what it should be/],
    ['tools', skill('x', 'x', 'allowed-tools: {a: b}\n'), /tools\/SKILL\.md:3: allowed-tools is not/],
    ['huge', 'x'.repeat(1_100_000), /huge\/SKILL\.md: expected a file of at most|huge\/SKILL\.md/],
    ['bomb', `---\na: &a [x,x]\n${'bcdefgh'.replaceAll(/./g, '$&: &$& [*a,*a]\n')}---\nx`, /^$/],
  ]
  for (const [name, text] of rows) put(`home/skills/${name}/SKILL.md`, text)
  put('home/skills/linked/SKILL.md', skill('leads out'))
  symlinkSync(at('elsewhere'), at('home/skills/linked/more'))
  put(
    'home/skills/inside/SKILL.md',
    skill('Use when: there is a colon', 'x', 'allowed-tools: Read, Bash(git *)\n'),
  )
  symlinkSync('SKILL.md', at('home/skills/inside/README.md'))
  mkdirSync(at('home/skills/empty'))
  symlinkSync(at('nowhere'), at('home/skills/dangling'))
  const { skills, refused } = await load()
  for (const [name, , says] of rows.slice(0, -1))
    assert.equal(refused.filter(({ message }) => says.test(message)).length, 1, name)
  assert.match(refused.map(({ message }) => message).join('\n'), /linked\/more is a link that leads out/)
  assert.equal(refused.length, rows.length)
  for (const one of refused) assert.match(ZH.say(one), /略过|文件/, one.message)
  const inside = skills.find(({ name }) => name === 'inside')
  assert.deepEqual(inside?.allowed, ['Read', 'Bash(git *)'])
  assert.equal(inside?.description, 'Use when: there is a colon')
})

test('two hundred skills: 800 tokens of descriptions, then names, and that is said', async t => {
  const { load, put } = place(t)
  for (let n = 100; n < 300; n++) put(`home/skills/s${n}/SKILL.md`, skill(`${n} `.repeat(100)))
  put('home/skills/mine/SKILL.md', skill('mine', 'x', 'disable-model-invocation: true\n'))
  const kit = await load()
  const [head, ...lines] = listOf(kit).split('\nAlso: ')
  assert.ok(Buffer.byteLength(head ?? '') < 3_600 && (head ?? '').split('\n').length > 6, head)
  assert.match(lines.join(), /^s\d+, .* and \d+ more$/)
  assert.doesNotMatch(listOf(kit), /mine/)
  assert.match(kit.refused[0]?.message ?? '', /^19\d skills are told to the model by name only/)
})

test('a folder’s skills and commands are asked about, and a change to any file of them asks again', async t => {
  const { home, cwd, put, at } = place(t)
  assert.deepEqual(claims(cwd), [])
  put('project/.claude/skills/pdf/SKILL.md', skill('x'))
  put('project/.claude/skills/pdf/scripts/run.sh', 'echo one')
  put('project/.agents/commands/git/sync.md', 'Sync.')
  assert.deepEqual(claims(cwd), [at('project/.claude/skills/pdf'), at('project/.agents/commands/git')])
  await rememberTrust(home, cwd, true)
  assert.equal(trustOf(home, cwd), true)
  for (const [name, text] of [
    ['.claude/skills/pdf/scripts/run.sh', 'echo two'],
    ['.agents/commands/git/new.md', 'New.'],
    ['.gopi/commands/other.md', 'Other.'],
    ['.gopi/config.yaml', 'hooks:\n  Stop:\n    - hooks: [{ command: ./check.sh }]\n'],
    ['check.sh', 'exit 0'],
    ['.mcp.json', '{ "mcpServers": { "own": { "command": "node", "args": ["tools/server.mjs"] } } }'],
    ['tools/server.mjs', 'process.exit()'],
  ] as const) {
    put(`project/${name}`, text)
    assert.equal(trustOf(home, cwd), undefined, name)
    assert.equal(changedSinceTrusted(home, cwd).length, 1, name)
    await rememberTrust(home, cwd, true)
  }
})

test('commands: names by folder, arguments, files and commands in them; what is wrong is said', async t => {
  const { load, put, at } = place(t)
  put('project/.claude/commands/git/sync.md', '---\nargument-hint: [from] [to]\n---\nSync $1 to $2.')
  put('home/commands/plain.md', 'Say hello.\n\nAnd more.')
  put('home/commands/bad name.md', 'x')
  put('home/commands/void.md', '---\ndescription: x\n---\n')
  put('home/commands/odd.md', '---\ndescription: x\nmodel: [a]\n---\nx')
  put('home/commands/who.md', '---\nagent: nobody\n---\nx')
  symlinkSync('/etc/hosts', at('project/.claude/commands/hosts.md'))
  const kit = await load()
  const { commands } = await kit.commands()
  assert.deepEqual(
    commands.map(one => [one.name, one.words({} as never)]),
    [
      ['plain', { does: 'Say hello.' }],
      ['git:sync', { does: 'Sync $1 to $2.', argument: '[from] [to]' }],
    ],
  )
  assert.deepEqual((await expand('/git:sync a b', kit.commands))?.text, 'Sync a to b.')
  const said = kit.refused.map(({ message }) => message).join('\n')
  assert.match(said, /bad name\.md: its name cannot be typed/)
  assert.match(said, /void\.md:1: it says nothing/)
  assert.match(said, /odd\.md:3: model is not what it should be \(the name of a model, or inherit\)/)
  assert.match(said, /who\.md:2: agent is not what it should be \(build, plan, general, explore\)/)
  assert.match(said, /hosts\.md is a link that leads out/)
})

test('a skill is read once it is called, and allowed-tools narrows to the end of the run', async t => {
  const run = (command: string) => ({ name: 'bash', arguments: { command } })
  const house = await openHouse(t, {
    files: {
      '.gopi/skills/careful/SKILL.md': skill('for care', 'Be careful.', 'allowed-tools: Bash(echo *) Read\n'),
      '.gopi/skills/careful/more.md': 'more of it',
      '.gopi/commands/look.md': 'Look `!` at @notes.txt: !`echo $((40+2))` !`rm -rf /` for $ARGUMENTS',
      'notes.txt': 'the notes',
    },
    config: { permission: { mode: 'yolo' } },
    sources: ({ home, cwd }) => folderSources({ home, cwd, person: home, trusted: true, deny: [] }),
    replies: [
      call('skill', { name: 'careful' }),
      { calls: ['echo a', 'date +%Y', 'echo a; date'].map(run) },
      call('skill', { name: 'careles' }),
      'Done.',
      { calls: [run('date +%Y')] },
      'Looked.',
      'Careful now.',
    ],
  })
  const { session, sent } = house
  await session.prompt('go')
  const results = sent(3).filter(({ role }) => role === 'tool')
  assert.match(results[0]?.content ?? '', /^Be careful\.[\s\S]*own files are in .*careful;/)
  assert.match(results[1]?.content ?? '', /^a\n?/)
  for (const result of results.slice(2, 4)) assert.match(result.content, /careful: allowed-tools/)
  assert.match(results[4]?.content ?? '', /no skill "careles"\. The skills are: careful/)
  await session.prompt('/look this', { typed: '/look this' })
  const asked = sent(4).at(-1)?.content ?? ''
  assert.match(asked, /the notes[\s\S]*Look `!` at @notes\.txt: 42 .*(Denied|denied)[\s\S]* for this$/)
  const shown = house.events.filter(event => event.type === 'message' && event.role === 'user').at(-1)
  assert.equal(shown && 'shown' in shown ? shown.shown : '', '/look this')
  // The run is over: nothing is narrowed any more.
  assert.match(sent(5).at(-1)?.content ?? '', /^\d{4}/)
  await session.prompt('/careful please')
  assert.match(sent(6).at(-1)?.content ?? '', /^Be careful\.[\s\S]*please$/)
})

test('allowed-tools of a command: its own commands are asked about like any, and what it lists is not allowed by that', async t => {
  const asked: string[] = []
  const run = (command: string) => ({ name: 'bash', arguments: { command } })
  const house = await openHouse(t, {
    files: {
      '.gopi/commands/ship.md':
        '---\nallowed-tools: Bash(touch:*), Read\n---\nShip what !`echo reads` and !`touch made` say.',
      'notes.txt': 'the notes',
    },
    config: { permission: { mode: 'ask', allow: ['Bash(mkdir:*)'] }, sandbox: 'off' as unknown as object },
    sources: ({ home, cwd }) => folderSources({ home, cwd, person: home, trusted: true, deny: [] }),
    approve: async ({ call, why }) => {
      asked.push(`${String(call.arguments.command ?? call.arguments.path)}: ${why}`)
      return { allow: !/allowed-tools/.test(why) }
    },
    replies: [
      { calls: [run('touch listed'), run('echo unlisted'), run('mkdir allowed')] },
      call('read', { path: 'notes.txt' }),
      'Shipped.',
      { calls: [run('mkdir allowed')] },
      'Done.',
    ],
  })
  await house.session.prompt('/ship')
  assert.match(house.sent(0).at(-1)?.content ?? '', /^Ship what reads and /)
  const [own, listed, ...unlisted] = asked
  assert.match(own ?? '', /^touch made: (?!.*allowed-tools)/)
  assert.match(listed ?? '', /^touch listed: (?!.*allowed-tools)/, 'listed, and asked about all the same')
  assert.deepEqual(
    unlisted.map(line => line.replace(/: .*(allowed-tools).*/, ': $1')),
    ['echo unlisted: allowed-tools', 'mkdir allowed: allowed-tools'],
  )
  assert.equal(house.sent(2).at(-1)?.content, '1\tthe notes')
  await house.session.prompt('go on')
  assert.equal(asked.length, 4, 'the run is over')
})
