import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { ownTheme } from '../../src/cli/own-theme.ts'
import { loadConfig } from '../../src/config/load.ts'
import { ownThemes } from '../../src/config/themes.ts'
import { UsageError } from '../../src/protocol/errors.ts'
import { BOLD, ITALIC } from '../../src/tui/line.ts'
import { paintsOf } from '../../src/tui/window/theme.ts'

function homeWith(t: TestContext, themes: Record<string, string>): string {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-themes-')))
  t.after(() => rmSync(home, { recursive: true }))
  mkdirSync(path.join(home, 'themes'))
  for (const [name, text] of Object.entries(themes)) writeFileSync(path.join(home, 'themes', name), text)
  return home
}

const surroundings = { hasShades: false, env: {} }

test('a theme of one’s own is its base but for what it names', async t => {
  const home = homeWith(t, {
    'dusk.yaml': [
      'base: light',
      'accent: "#7Aa2f7"',
      'muted: bright-black',
      'code: 12',
      'link: none',
      'own: { color: 7, background: "#24283b", bold: true, italic: true, dim: false }',
    ].join('\n'),
  })
  const theme = await ownTheme(home, 'dusk')
  const { accent, muted, code, link, own, ...others } = paintsOf(theme, surroundings)
  assert.deepEqual(accent, { color: [0x7a, 0xa2, 0xf7] })
  assert.deepEqual(muted, { color: 8 })
  assert.deepEqual(code, { color: 12 })
  assert.deepEqual(link, {})
  assert.deepEqual(own, { color: 7, background: [0x24, 0x28, 0x3b], marks: BOLD | ITALIC })
  const light = paintsOf('light', surroundings)
  for (const [style, paint] of Object.entries(others))
    assert.deepEqual(paint, light[style as keyof typeof light], style)
  assert.deepEqual(
    paintsOf({ ...theme, base: 'dark' }, surroundings).heading,
    paintsOf('dark', surroundings).heading,
  )
})

test('an empty one is the dark one', async t => {
  const theme = await ownTheme(homeWith(t, { 'plain.yaml': '# nothing yet\n' }), 'plain')
  assert.deepEqual(paintsOf(theme, surroundings), paintsOf('dark', surroundings))
})

test('all that is wrong with a theme is said with its line', async t => {
  const home = homeWith(t, {
    'bad.yaml': 'base: pink\naccent: "#12"\nmuted: { color: puce, blnk: true }\nacent: red\ncode: 16\n',
  })
  const error = await ownTheme(home, 'bad').catch((error: unknown) => error)
  assert.ok(error instanceof UsageError)
  const file = path.join(home, 'themes', 'bad.yaml')
  assert.deepEqual(
    error.problems.map(problem => problem.replace(file, '').replace(/: expected .*/, '')),
    [
      ':1: base',
      ':2: accent',
      ':3: muted.color',
      ':3: muted.blnk: unknown key; known here: color, background, bold, italic, underline, dim, reverse',
      ':4: acent: unknown key; did you mean accent?',
      ':5: code',
    ],
  )
})

test('the configuration names one that there is', async t => {
  const home = homeWith(t, { 'dusk.yaml': '', 'notes.txt': '' })
  assert.deepEqual(ownThemes(home), ['dusk'])
  assert.deepEqual(ownThemes(path.join(home, 'nowhere')), [])
  const load = (theme: string) => {
    writeFileSync(path.join(home, 'config.yaml'), `tui: { theme: ${theme} }\n`)
    return loadConfig({ home, cwd: home, env: {}, trusted: true })
  }
  assert.equal((await load('dusk')).config.tui.theme, 'dusk')
  assert.equal((await load('system')).config.tui.theme, 'system')
  await assert.rejects(load('dawn'), /tui\.theme: expected one of dark, light, system, dusk, .*; came "dawn"/)
})
