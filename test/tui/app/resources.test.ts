import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { kitOf } from '../../../src/kit/kit.ts'
import { serverSources } from '../../../src/kit/servers.ts'
import { noted, scripted, servers } from '../../mcp/servers.ts'
import { openStage } from './stage.ts'

test('@server: offers the resources of a connected server, and starts none for that', async t => {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-note-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const note = path.join(directory, 'note')
  const { servers: all } = await servers(t, { mcp: { s: scripted('good'), t: scripted('good', note) } })
  const [first] = all.all
  await first?.server.begin()
  const kit = kitOf(serverSources(all, { budget: 0, refused: [] }))
  let asked = 0
  const stage = await openStage(t, {
    around: {
      resources(word) {
        asked++
        return kit.resources(word)
      },
    },
  })
  stage.press('see @s:no')
  await stage.until(/@s:file:\/\/\/notes +what was noted/)
  stage.press('\t')
  await stage.until(() => stage.app.state.editor.text === 'see @s:file:///notes ')
  assert.equal(asked, 1, 'asked once while its name stood there')
  stage.press('@s:a')
  await stage.until(/@s:file:\/\/\/a b +spaced/)
  stage.press('\t')
  await stage.until(() => stage.app.state.editor.text === 'see @s:file:///notes @"s:file:///a b" ')
  stage.press('@t:no')
  await stage.until(() => stage.app.state.editor.text.endsWith('@t:no') && asked > 2)
  assert.equal(stage.app.state.completion?.items.length ?? 0, 0)
  assert.deepEqual(noted(note), [], 'a server that is not connected is left alone')
  assert.deepEqual(
    (await kit.resources('s:'))?.map(({ word }) => word),
    ['s:file:///notes', 's:file:///a b'],
    'what cannot be written is left out',
  )
})
