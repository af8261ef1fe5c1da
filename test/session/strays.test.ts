/** What a gopi that was killed while it wrote a file left beside it is gone after the next start; nothing else is. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { sessionsDirectory } from '../../src/session/store.ts'
import { call, openHouse } from '../support/house.ts'

const marks = ['0123456789ab', '00000000000b', '00000000000c'] as const

test('strays of sessions that nobody holds are removed, by the notes about them alone', async t => {
  const house = await openHouse(t, {
    replies: [call('write', { path: 'a.txt', content: 'x' }), 'Done.', 'Done again.'],
  })
  const { home, cwd, session } = house
  const sessions = sessionsDirectory(home, cwd)
  const stray = (mark: string, name = 'a.txt') => path.join(cwd, `.${name}.${mark}`)
  const leave = (id: string, mark: string, file: string, owner: number) => {
    mkdirSync(path.join(sessions, id), { recursive: true })
    symlinkSync(`${owner}`, path.join(sessions, id, 'lock'))
    writeFileSync(path.join(sessions, id, `writing-${mark}`), file)
    writeFileSync(file, 'half of it')
  }
  const { pid } = spawnSync(process.execPath, ['-e', '0'])
  leave('killed', marks[0], stray(marks[0]), pid)
  leave('living', marks[1], stray(marks[1]), process.ppid)
  leave('wrong', marks[2], path.join(cwd, 'mine.txt'), pid)
  writeFileSync(stray('fedcba987654', 'like-it'), 'nobody noted this one')
  // It was killed while it wrote a file over: where the old text is must be told, once.
  const linked = path.join(cwd, 'linked.txt')
  const copy = path.join(sessions, 'killed', `before-${marks[0]}`)
  writeFileSync(path.join(sessions, 'killed', `filling-${marks[0]}`), linked)
  writeFileSync(copy, 'the old text')
  // It was killed after that was done.
  writeFileSync(path.join(sessions, 'killed', `filling-${marks[1]}`), linked)
  await session.prompt('go')
  await session.prompt('again')
  const told = house.events.filter(event => event.type === 'notice' && event.code === 'stray')
  assert.deepEqual(
    told.map(event => event.type === 'notice' && event.facts),
    [{ case: 'copy', file: linked, copy }],
  )
  const left = [
    stray(marks[0]),
    stray(marks[1]),
    path.join(cwd, 'mine.txt'),
    stray('fedcba987654', 'like-it'),
  ]
  assert.deepEqual(left.map(existsSync), [false, true, true, true])
  assert.deepEqual(readdirSync(path.join(sessions, 'killed')), [path.basename(copy)])
  await session.close()
  assert.equal(existsSync(path.join(sessions, session.id)), false, 'nothing is left of its own notes')
})
