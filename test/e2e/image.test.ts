/** Pictures on a real screen: pasted by their path, taken from the clipboard, and refused where the model sees nothing. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openProgram, type Program } from '../support/program.ts'
import { openScreen } from '../support/screen.ts'
import { ctrlD } from '../support/terminal.ts'

const picture = (mark: number) =>
  Buffer.from(`89504e470d0a1a0a000000${mark.toString(16).padStart(2, '0')}`, 'hex')

/** Of the nth request for words. */
function imagesOf({ server }: Program, index: number): string[] {
  const bodies = server.chats.map(
    ({ body }) => body as { messages: { images?: string[] }[]; options?: object },
  )
  const asked = bodies.filter(({ options }) => (options as { num_predict?: number })?.num_predict !== 1)
  return asked[index]?.messages.at(-1)?.images ?? []
}

test('a picture: named with @, pasted by its path, and from the clipboard', async t => {
  const gopi = await openProgram(t, {
    replies: ['One.', 'Two.', 'Three.'],
    server: { capabilities: ['completion', 'tools', 'vision'] },
  })
  writeFileSync(path.join(gopi.cwd, 'picture.png'), picture(1))
  const elsewhere = path.join(gopi.home, 'my picture.png')
  writeFileSync(elsewhere, picture(2))
  const programs = path.join(gopi.home, 'programs')
  mkdirSync(programs)
  writeFileSync(path.join(programs, 'clip'), picture(3))
  const tool = path.join(programs, 'wl-paste')
  writeFileSync(
    tool,
    `#!/bin/sh\n[ "$*" = "--no-newline --type image/png" ] && exec cat "${programs}/clip"\nexit 1\n`,
  )
  chmodSync(tool, 0o755)
  const PATH = `${programs}:${process.env.PATH}`
  const screen = openScreen(t, gopi, { env: { PATH, WAYLAND_DISPLAY: 'wayland-0' }, columns: 120 })
  await screen.shows(/ask · qwen/)
  await screen.enter('what is on @picture.png?')
  await screen.shows(/One\.[\s\S]*Say what/)
  screen.press(`\x1b[200~'${elsewhere}'\x1b[201~`)
  await screen.shows(/› @"[^"\n]*my picture\.png"/)
  screen.press('\r')
  await screen.shows(/Two\.[\s\S]*Say what/)
  await screen.enter('/image')
  await screen.shows(/› @\S+clipboard\.png/)
  screen.press('\r')
  await screen.shows(/Three\.[\s\S]*Say what/)
  assert.deepEqual(
    [0, 1, 2].map(index => imagesOf(gopi, index)),
    [1, 2, 3].map(mark => [picture(mark).toString('base64')]),
  )
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
})

test('a model that takes no images: said at once, and no picture is sent', async t => {
  const gopi = await openProgram(t, { replies: ['Nothing.'] })
  writeFileSync(path.join(gopi.cwd, 'picture.png'), picture(1))
  const screen = openScreen(t, gopi, { columns: 120 })
  await screen.shows(/ask · qwen/)
  // What could not be done stays in the prompt.
  screen.press('/image')
  await screen.shows(/› \/image$/m)
  screen.press('\r')
  await screen.shows(/qwen2\.5-coder:7b takes no images; \/model chooses one that does\./)
  screen.press('\x15')
  await screen.enter('what is on @picture.png?')
  await screen.shows(/@picture\.png was left out: this model takes no images[\s\S]*Nothing\.[\s\S]*Say what/)
  assert.deepEqual(imagesOf(gopi, 0), [])
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
})
