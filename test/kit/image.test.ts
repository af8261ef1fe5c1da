import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { it } from 'node:test'
import { pastedPicture } from '../../src/text/pasted-picture.ts'
import { deskOf, obeyed } from '../support/desk.ts'
import { openHouse } from '../support/house.ts'

const png = Buffer.from('89504e470d0a1a0a0000', 'hex')

it('/image names the picture in the clipboard, and says at once what is in its way', async t => {
  const programs = mkdtempSync(path.join(tmpdir(), 'gopi-programs-'))
  t.after(() => rmSync(programs, { recursive: true, force: true }))
  const { PATH, WAYLAND_DISPLAY, DISPLAY } = process.env
  t.after(() =>
    Object.assign(process.env, {
      PATH,
      ...(WAYLAND_DISPLAY && { WAYLAND_DISPLAY }),
      ...(DISPLAY && { DISPLAY }),
    }),
  )
  process.env.PATH = programs
  process.env.WAYLAND_DISPLAY = 'wayland-0'
  delete process.env.DISPLAY
  const blind = await openHouse(t)
  const first = deskOf(blind)
  await obeyed('/image', first)
  assert.deepEqual(first.shown, ['scripted takes no images; /model chooses one that does.'])

  const seeing = await openHouse(t, { server: { capabilities: ['completion', 'tools', 'vision'] } })
  const at = deskOf(seeing)
  await obeyed('/image', at)
  assert.match(at.shown[0] ?? '', /^No tool that reads pictures/)
  const tool = path.join(programs, 'wl-paste')
  writeFileSync(tool, '#!/bin/sh\nexit 1\n')
  chmodSync(tool, 0o755)
  await obeyed('/image', at)
  assert.equal(at.shown[1], 'There is no picture in the clipboard.')
  writeFileSync(path.join(programs, 'picture'), png)
  writeFileSync(
    tool,
    `#!/bin/sh\n[ "$*" = "--no-newline --type image/png" ] && exec /bin/cat "$(dirname "$0")/picture"\n`.replace(
      '$(dirname "$0")',
      programs,
    ),
  )
  await obeyed('/image', at)
  const [, file = ''] = /^@(\S+clipboard\.png) $/.exec(at.put[0] ?? '') ?? []
  assert.deepEqual(readFileSync(file), png)
  rmSync(path.dirname(file), { recursive: true })
})

it('the path of a picture that is pasted becomes a mention; everything else stays as it is', () => {
  const pasted = {
    '/tmp/a.png': '@/tmp/a.png ',
    "'/tmp/my picture.JPG' ": '@"/tmp/my picture.JPG" ',
    '/tmp/my\\ picture.webp': '@"/tmp/my picture.webp" ',
    'file:///tmp/my%20picture.png\n': '@"/tmp/my picture.png" ',
    '~/a.gif': '@~/a.gif ',
    '/tmp/a.txt': undefined,
    'see /tmp/a.png': undefined,
    '/tmp/a b.png': undefined,
    '//host/share/a.png': undefined,
    'a.png': undefined,
    '/tmp/a.png\n/tmp/b.png': undefined,
  }
  for (const [text, mention] of Object.entries(pasted)) assert.equal(pastedPicture(text), mention, text)
})
