import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { FileLedger } from '../../src/tools/ledger.ts'
import { builtinTools } from '../../src/tools/list.ts'
import { contextFor, project, told } from './context.ts'

/** What a file holds, what a model sent, what must be there afterwards or be said. */
interface Case {
  id: string
  file: string
  before: string
  calls: { name: string; arguments: Record<string, unknown> }[]
  want: string | null
  /** Any of them will do. */
  wants?: string[]
  /** The call must fail. */
  refuse?: boolean
  /** What must be in the result. */
  mustSay?: string
  way?: string
  noRead?: boolean
  asAsked?: boolean
}

const cases: Case[] = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../fixtures/edit-cases.json'), 'utf8'),
)
/** Where something else than `want` is right, and why. */
const differing: Record<string, string> = {}

describe('edits of real models', () => {
  for (const given of cases) {
    it(given.id, async t => {
      const cwd = await project(t, { [given.file]: given.before })
      const context = contextFor(cwd, { files: new FileLedger() })
      const tools = builtinTools()
      const call = (name: string, args: Record<string, unknown>) => {
        const plain = JSON.stringify(args).replaceAll('$CWD', cwd).replaceAll('$NAME', path.basename(cwd))
        return told(tools.find(tool => tool.name === name)!, JSON.parse(plain), context)
      }
      if (!given.noRead) await call('read', { path: given.file })
      let said = ''
      for (const { name, arguments: args } of given.calls) said += `${await call(name, args)}\n`
      const after = await readFile(path.join(cwd, given.file), 'utf8')
      const wants = given.wants ?? [given.want]
      assert.ok(wants.includes(after), `${said}\n${after}`)
      if (given.refuse) assert.match(said, /^(?:edit|write): |was not read|No such/)
      if (given.mustSay) assert.match(said, new RegExp(given.mustSay))
      if (given.way) assert.match(said, new RegExp(given.way))
      t.diagnostic(said.trim().replace(/\n/g, '\n    '))
      assert.equal(differing[given.id], undefined)
    })
  }
})
