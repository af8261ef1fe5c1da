import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allImports, type Import, importsOf, loadedWith } from './support/imports.ts'

/** The rooms and what each may know besides itself: whole rooms, single files, or only types. */
interface Room {
  level: number
  rooms?: string[]
  files?: string[]
  types?: string[]
}

const BASE = ['protocol', 'text']
const ROOMS: Record<string, Room> = {
  protocol: { level: 0 },
  text: { level: 0 },
  words: { level: 0, files: ['text/truncate.ts'] },
  config: { level: 1, rooms: BASE },
  model: { level: 1, rooms: BASE },
  dialect: { level: 1, rooms: BASE },
  shell: { level: 1, rooms: BASE },
  permission: { level: 1, rooms: BASE },
  tools: { level: 2, rooms: [...BASE, 'shell'] },
  agent: {
    level: 3,
    rooms: BASE,
    files: ['model/model.ts', 'dialect/dialect.ts', 'tools/tool.ts', 'permission/permission.ts'],
  },
  context: { level: 3, rooms: BASE, files: ['model/model.ts'] },
  session: {
    level: 4,
    rooms: [...BASE, 'agent', 'context'],
    files: ['model/model.ts', 'permission/permission.ts'],
  },
  tui: { level: 5, rooms: [...BASE, 'words', 'session'], types: ['tools'] },
  print: { level: 5, rooms: [...BASE, 'words', 'session'], types: ['tools'] },
  plain: { level: 5, rooms: [...BASE, 'words', 'session'], types: ['tools'] },
  demo: { level: 5, rooms: BASE },
}
/** `cli/` and the files beside the rooms (`main.ts`, `library.ts`): they wire the rooms together. */
const TOP = 6

const roomOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '')
const levelOf = (file: string) => ROOMS[roomOf(file)]?.level ?? TOP
const isOurs = (name: string) => name.endsWith('.ts')

/** What an import breaks, or undefined. */
function wrong({ from, to, typeOnly }: Import): string | undefined {
  if (!isOurs(to) || roomOf(from) === roomOf(to)) return undefined
  if (levelOf(to) > levelOf(from)) return 'climbs'
  const room = ROOMS[roomOf(from)]
  const knows =
    room === undefined ||
    room.rooms?.includes(roomOf(to)) ||
    room.files?.includes(to) ||
    (typeOnly && room.types?.includes(roomOf(to)))
  return knows ? undefined : 'is not its business'
}

/** The first files that import each other in a ring, if there are any. */
function ring(imports: Map<string, Import[]>): string[] | undefined {
  const done = new Set<string>()
  const visit = (file: string, trail: string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const { to } of imports.get(file) ?? []) {
      const found = isOurs(to) ? visit(to, [...trail, file]) : undefined
      if (found) return found
    }
    done.add(file)
    return undefined
  }
  for (const file of imports.keys()) {
    const found = visit(file, [])
    if (found) return found
  }
  return undefined
}

const imports = allImports()
const edges = [...imports.values()].flat()

test('every folder of src is a room of the house', () => {
  const folders = new Set([...imports.keys()].map(roomOf))
  const strangers = [...folders].filter(folder => folder !== '' && folder !== 'cli' && !(folder in ROOMS))
  assert.deepEqual(strangers, [])
  assert.ok(imports.size > 30 && edges.length > 100, 'the files were not read')
})

test('no room imports what it may not know', () => {
  const found = edges.flatMap(edge => {
    const problem = wrong(edge)
    return problem === undefined ? [] : [`${edge.from} → ${edge.to} ${problem}`]
  })
  assert.deepEqual(found, [])
})

test('protocol imports nothing', () => {
  assert.deepEqual(
    edges.filter(({ from, to }) => roomOf(from) === 'protocol' && roomOf(to) !== 'protocol'),
    [],
  )
})

/** A file that only passes on what others export: whoever imports it no longer says what they need. */
function isBarrel(file: string, own: readonly Import[]): boolean {
  return /(^|\/)index\.ts$/.test(file) || (own.length > 0 && own.every(({ passedOn }) => passedOn))
}

test('there is no barrel', () => {
  const barrels = [...imports].filter(([file, own]) => isBarrel(file, own)).map(([file]) => file)
  assert.deepEqual(barrels, [])
})

test('no files import each other in a ring', () => {
  assert.deepEqual(ring(imports) ?? [], [])
})

test('reading the arguments and a default loads no package', () => {
  for (const file of [
    'main.ts',
    'cli/args.ts',
    'cli/help.ts',
    'cli/config-command.ts',
    'config/config.ts',
    'config/load.ts',
  ]) {
    const packages = [...loadedWith(file, imports)].filter(name => !isOurs(name) && !name.startsWith('node:'))
    assert.deepEqual(packages, [], file)
    assert.ok(!loadedWith(file, imports).has('config/schema.ts'), file)
  }
  assert.ok(loadedWith('config/yaml.ts', imports).has('yaml'))
  assert.ok(loadedWith('config/yaml.ts', imports).has('zod/mini'))
})

test('the alarm rings', () => {
  const rows: [file: string, text: string, problem: string | undefined][] = [
    ['text/x.ts', "import { a } from '../session/session.ts'", 'climbs'],
    ['protocol/x.ts', "import type { A } from '../text/y.ts'", 'is not its business'],
    ['model/x.ts', "import { a } from '../config/config.ts'", 'is not its business'],
    ['model/x.ts', "import {\n  a,\n  type B,\n} from '../dialect/dialect.ts'", 'is not its business'],
    ['model/x.ts', "import { a } from '../protocol/wire.ts'", undefined],
    ['tools/x.ts', "import { a } from '../permission/decide.ts'", 'is not its business'],
    ['tools/x.ts', "import { a } from '../shell/create.ts'", undefined],
    ['agent/x.ts', "import { a } from '../tools/read.ts'", 'is not its business'],
    ['agent/x.ts', "import type { A } from '../tools/tool.ts'", undefined],
    ['agent/x.ts', "const { a } = await import('../model/ollama.ts')", 'is not its business'],
    ['agent/x.ts', "import { a } from '../context/budget.ts'", 'is not its business'],
    ['context/x.ts', "import type { A } from '../model/model.ts'", undefined],
    ['context/x.ts', "import type { A } from '../tools/tool.ts'", 'is not its business'],
    ['session/x.ts', "import { a } from '../agent/loop.ts'", undefined],
    ['session/x.ts', "import { a } from '../tools/tool.ts'", 'is not its business'],
    ['session/x.ts', "import '../tui/app.ts'", 'climbs'],
    ['plain/x.ts', "import { a } from '../print/print.ts'", 'is not its business'],
    ['plain/x.ts', "import type { A } from '../tools/edit.ts'", undefined],
    ['plain/x.ts', "import { type A } from '../tools/edit.ts'", 'is not its business'],
    ['tui/x.ts', "export { a } from '../model/ollama.ts'", 'is not its business'],
    ['demo/x.ts', "import { a } from '../model/model.ts'", 'is not its business'],
    ['tui/x.ts', "import { a } from '../cli/args.ts'", 'climbs'],
    ['tui/x.ts', "import { a } from '../main.ts'", 'climbs'],
    ['cli/x.ts', "import { a } from '../tui/app.ts'", undefined],
    ['library.ts', "import { a } from './session/session.ts'", undefined],
  ]
  for (const [file, text, problem] of rows) {
    const found = importsOf(file, text)
    assert.equal(found.length, 1, text)
    assert.equal(found[0] && wrong(found[0]), problem, `${file}: ${text}`)
  }
  assert.deepEqual(
    importsOf('a/x.ts', "// import a from './y.ts'\n/** import('./z.ts') */\nconst from = 'x'"),
    [],
  )
  const passingOn = "export * from './y.ts'\nexport type { Z } from './z.ts'"
  assert.ok(isBarrel('a/x.ts', importsOf('a/x.ts', passingOn)))
  assert.ok(!isBarrel('a/x.ts', importsOf('a/x.ts', `import './u.ts'\n${passingOn}`)))
  assert.ok(isBarrel('a/index.ts', []))
  const inRing = ['a/x.ts', 'a/y.ts', 'a/z.ts', 'a/x.ts']
  const links = inRing
    .slice(0, -1)
    .map((from, i) => [from, importsOf(from, `import '../${inRing[i + 1]}'`)] as const)
  assert.deepEqual(ring(new Map(links)), inRing)
  assert.equal(ring(new Map(links.slice(1))), undefined)
})
