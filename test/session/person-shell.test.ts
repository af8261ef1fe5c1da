import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { type House, openHouse } from '../support/house.ts'

const { signal } = new AbortController()
const run = ({ session }: House, command: string, forModel = true) =>
  session.shell.run(command, { forModel, signal, onOutput() {} })

describe('the person’s own commands', () => {
  it('run in the session’s bash unasked, and the next words bring what they said, also after a resume', async t => {
    const house = await openHouse(t, {
      config: { permission: { mode: 'ask' } },
      approve: async () => assert.fail('nobody asks'),
      replies: ['Seen.', 'Again.'],
    })
    await run(house, 'mkdir made; cd made; export N=1; touch file')
    await run(house, 'echo quiet', false)
    const ran = await run(house, 'pwd; echo $N; exit_with() { return 3; }; exit_with')
    assert.ok('content' in ran && ran.is_error)
    assert.ok(existsSync(path.join(house.cwd, 'made/file')))
    await house.session.prompt('what happened?')
    const [told] = house.sent(0)
    assert.match(
      told?.content ?? '',
      /^I ran a command myself:\n\$ mkdir[\s\S]*\n\nI ran a command myself:\n\$ pwd[^\n]*\n[^\n]*\/made\n1\nexit code 3\n\nwhat happened\?$/,
    )
    assert.deepEqual(
      house.session.messages[0] && 'shown' in house.session.messages[0] && house.session.messages[0].shown,
      'what happened?',
    )
    await run(house, 'echo later')
    house.session.shell.note({ command: 'vi x', exit_code: 0 }, true)
    await house.session.close()
    const next = await openHouse(t, { before: house, resume: { last: true }, replies: ['Yes.'] })
    await next.session.prompt('and now?')
    assert.equal(
      next.sent(0).at(-1)?.content,
      'I ran a command myself:\n$ echo later\nlater\n\nI ran a command myself:\n$ vi x\n(on my own terminal, exit code 0)\n\nand now?',
    )
  })

  it('what asks whoever wants it asks, what a rule denies does not run', async t => {
    let answers = false
    const house = await openHouse(t, {
      config: { permission: { mode: 'yolo', deny: ['Bash(touch *)'] } },
      approve: async ({ hard, own = false }) => ({ allow: hard && own && answers }),
    })
    const dangerous = `rm -rf ${path.join(house.home, 'nothing')}/*; sudo -n true`
    assert.deepEqual(await run(house, dangerous), { refused: undefined })
    answers = true
    assert.ok('content' in (await run(house, dangerous)))
    const denied = await run(house, 'touch x')
    assert.ok('refused' in denied && denied.refused?.message.includes('touch'))
    assert.ok(!existsSync(path.join(house.cwd, 'x')))
  })
})

it('lines of a file and the names in a directory are put before the words', async t => {
  const house = await openHouse(t, {
    files: { 'a.txt': 'one\ntwo\nthree\nfour\n', 'src/b.ts': 'b', 'src/deep/c.ts': 'c', 'x:1': 'odd\n' },
    replies: ['Ok.'],
  })
  const typed = 'see @a.txt:2-3 and @src/, @a.txt:4, @x:1 and @src'
  await house.session.prompt(typed, { typed })
  const blocks = [
    ...(house.sent(0)[0]?.content ?? '').matchAll(/<file path="([^"]*)">\n([\s\S]*?)\n<\/file>/g),
  ]
  assert.deepEqual(
    blocks.map(([, name, text]) => [name, text?.split('\n').slice(0, 2).join('|')]),
    [
      ['a.txt', '2\ttwo|3\tthree'],
      ['a.txt', '4\tfour'],
      ['x:1', '1\todd'],
      ['src/', 'b.ts|deep/'],
    ],
  )
})

it('an image goes to a model that takes images, and to no other', async t => {
  const picture = Buffer.from('89504e470d0a1a0a', 'hex')
  const files = { 'a.png': picture.toString('latin1') }
  const typed = 'what is on @a.png?'
  const seeing = await openHouse(t, {
    files,
    replies: ['A cat.'],
    server: { capabilities: ['completion', 'tools', 'vision'] },
  })
  await seeing.session.prompt(typed, { typed })
  const { images } = seeing.sent(0)[0] as { images?: string[] }
  assert.equal(images?.length, 1)
  const blind = await openHouse(t, { files, replies: ['Nothing.'] })
  await blind.session.prompt(typed, { typed })
  assert.ok(!('images' in (blind.sent(0)[0] ?? {})))
  assert.ok(blind.events.some(event => event.type === 'notice' && /no images/.test(event.message)))
})
