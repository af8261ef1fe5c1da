/** Takes a session's lock at the moment it is told, and says whether it got it. */
import { readlinkSync } from 'node:fs'
import path from 'node:path'
import { type Locked, lock } from '../../src/session/lock.ts'
import { placeOf } from '../../src/session/store.ts'

const directory = process.argv[2] ?? ''
const place = placeOf(path.dirname(directory), path.basename(directory))
let taken: Locked | undefined

process.on('message', (message: { at?: number }) => {
  const { at } = message
  if (at === undefined) {
    if (taken && 'release' in taken) taken.release()
    taken = undefined
    process.send?.({})
    return
  }
  while (Date.now() < at);
  taken = lock(place)
  const owns = 'release' in taken
  const isThere = owns && readlinkSync(path.join(directory, 'lock')).startsWith(`${process.pid}-`)
  process.send?.({ owns, pid: process.pid, isThere })
})
