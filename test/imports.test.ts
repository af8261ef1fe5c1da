import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allImports, type Import, importsOf, loadedWith } from './support/imports.ts'

/** The rooms and what each may know besides itself: whole rooms, single files, or only types. */
interface Room {
  level: number
  rooms?: string[]
  files?: string[]
  types?: string[]
}

const BASE = ['protocol', 'text', 'words']
const ROOMS: Record<string, Room> = {
  protocol: { level: 0 },
  text: { level: 0, types: ['protocol'] },
  words: {
    level: 0,
    rooms: ['protocol'],
    files: ['text/message-of.ts', 'text/sanitize.ts', 'text/truncate.ts', 'text/width.ts'],
  },
  paths: { level: 0, rooms: ['protocol', 'words'] },
  net: { level: 0 },
  rules: { level: 0, rooms: ['text'], files: ['paths/inside.ts'] },
  config: { level: 1, rooms: [...BASE, 'paths', 'rules'], files: ['memory/own-file.ts', 'net/hosts.ts'] },
  backends: { level: 1, rooms: [...BASE, 'net'] },
  dialect: { level: 1, rooms: BASE },
  memory: { level: 1, rooms: BASE },
  shell: { level: 1, rooms: BASE, files: ['paths/inside.ts', 'paths/program.ts', 'paths/temporary.ts'] },
  sandbox: { level: 1, rooms: [...BASE, 'net', 'paths'] },
  permission: { level: 1, rooms: [...BASE, 'paths', 'rules'] },
  tools: { level: 2, rooms: [...BASE, 'net', 'paths', 'shell'] },
  mcp: { level: 2, rooms: BASE, types: ['tools'] },
  agent: {
    level: 3,
    rooms: [...BASE, 'paths'],
    files: ['backends/backend.ts', 'dialect/dialect.ts', 'tools/tool.ts', 'permission/permission.ts'],
    types: ['permission'],
  },
  context: {
    level: 3,
    rooms: BASE,
    files: ['backends/backend.ts', 'backends/miss.ts', 'backends/speed.ts'],
  },
  session: {
    level: 4,
    rooms: [...BASE, 'agent', 'context'],
    files: [
      'backends/backend.ts',
      'dialect/create.ts',
      'dialect/forced.ts',
      'dialect/few-shot.ts',
      'dialect/talk.ts',
      'permission/permission.ts',
    ],
    types: ['permission', 'tools', 'shell'],
  },
  kit: {
    level: 5,
    rooms: [...BASE, 'session', 'mcp', 'paths', 'rules'],
    files: [
      'agent/hooks.ts',
      'config/file.ts',
      'paths/temporary.ts',
      'tools/custom.ts',
      'tools/define.ts',
      'tools/git/run.ts',
      'tools/list.ts',
      'tools/tool.ts',
    ],
    types: ['tools'],
  },
  tui: { level: 6, rooms: [...BASE, 'session', 'kit'], files: ['paths/temporary.ts'], types: ['tools'] },
  print: { level: 6, rooms: [...BASE, 'session', 'kit'], types: ['tools'] },
  plain: { level: 6, rooms: [...BASE, 'session', 'kit'], types: ['tools'] },
  acp: {
    level: 6,
    rooms: [...BASE, 'session', 'kit'],
    files: ['context/mentions.ts', 'paths/inside.ts'],
    types: ['tools'],
  },
  demo: { level: 6, rooms: BASE },
  doctor: {
    level: 6,
    rooms: [...BASE, 'config', 'paths', 'sandbox'],
    files: [
      ...['address', 'backend', 'backends'].map(name => `backends/${name}.ts`),
      ...['connect', 'find-model'].map(name => `session/${name}.ts`),
      ...['provider', 'trust'].map(name => `assembly/${name}.ts`),
    ],
  },
  // Beside the faces, which know nothing of it: what a session is made of, made.
  assembly: {
    level: 6,
    rooms: [
      ...BASE,
      ...[
        'config',
        'memory',
        'paths',
        'permission',
        'rules',
        'sandbox',
        'shell',
        'tools',
        'mcp',
        'context',
        'session',
        'kit',
      ],
    ],
    files: [
      'agent/limiter.ts',
      'agent/run.ts',
      'backends/address.ts',
      'backends/backend.ts',
      'backends/backends.ts',
    ],
  },
}
/** `cli/` and the files beside the rooms (`main.ts`, `library.ts`): they wire the rooms together. */
const TOP = 7

const roomOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '')
const levelOf = (file: string) => ROOMS[roomOf(file)]?.level ?? TOP
const isOurs = (name: string) => name.endsWith('.ts')

/** The kind of server that a file is about: each has a folder in `backends/`, and `http/` is everybody's. */
const kindOf = (file: string) => /^backends\/(?!http\/)([^/]+)\//.exec(file)?.[1]

/** One file knows the kinds of servers; everybody else sees the interface. */
const mayKnowKind = (file: string, kind: string | undefined) =>
  kind === undefined || kindOf(file) === kind || file === 'backends/backends.ts'

/** What an import breaks, or undefined. */
function wrong({ from, to, typeOnly }: Import): string | undefined {
  if (!isOurs(to)) return undefined
  if (!mayKnowKind(from, kindOf(to))) return 'is not its business'
  if (roomOf(from) === roomOf(to)) return undefined
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

test('how Ollama is talked to stands in its own folder', () => {
  const outside = [...imports.keys()].filter(file => !/^(backends\/ollama|demo)\//.test(file))
  const found = outside.filter(file =>
    /\/api\/|num_predict|\bnum_ctx: *\d|ollama\/browser/.test(
      readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8'),
    ),
  )
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

test('who has no server configured loads nothing of the room that reaches them', () => {
  for (const file of [
    'cli/begin.ts',
    'cli/run.ts',
    'cli/screen-talk.ts',
    'cli/plain-talk.ts',
    'library.ts',
  ]) {
    const found = [...loadedWith(file, imports)].filter(name => /^mcp\/|modelcontextprotocol/.test(name))
    assert.deepEqual(found, [], file)
  }
  const client = [...imports].filter(([, own]) =>
    own.some(({ to }) => to.startsWith('@modelcontextprotocol')),
  )
  assert.deepEqual(client.map(([file]) => file).sort(), ['mcp/client.ts', 'mcp/stdio.ts'])
  const source = readFileSync(new URL('../src/assembly/sources.ts', import.meta.url), 'utf8')
  assert.match(source, /await import\('\.\.\/mcp\/client\.ts'\)/)
})

test('who is in no editor loads nothing of the protocol that editors speak', () => {
  for (const file of ['main.ts', 'cli/main.ts', 'cli/begin.ts', 'cli/run.ts', 'library.ts']) {
    const found = [...loadedWith(file, imports)].filter(name => /^acp\/|agentclientprotocol/.test(name))
    assert.deepEqual(found, [], file)
  }
  const knowing = [...imports].filter(([, own]) =>
    own.some(({ to, typeOnly }) => to.startsWith('@agentclientprotocol') && !typeOnly),
  )
  assert.deepEqual(
    knowing.map(([file]) => file),
    ['acp/wire.ts'],
  )
})

test('the alarm rings', () => {
  const rows: [file: string, text: string, problem: string | undefined][] = [
    ['text/x.ts', "import { a } from '../session/session.ts'", 'climbs'],
    ['protocol/x.ts', "import type { A } from '../text/y.ts'", 'is not its business'],
    ['backends/x.ts', "import { a } from '../config/config.ts'", 'is not its business'],
    ['backends/x.ts', "import {\n  a,\n  type B,\n} from '../dialect/dialect.ts'", 'is not its business'],
    ['backends/x.ts', "import { a } from '../protocol/wire.ts'", undefined],
    ['backends/x.ts', "import { a } from './ollama/ollama.ts'", 'is not its business'],
    ['backends/backends.ts', "const { a } = await import('./ollama/ollama.ts')", undefined],
    ['backends/openai/x.ts', "import { a } from '../ollama/host.ts'", 'is not its business'],
    ['backends/openai/x.ts', "import { a } from '../http/lines.ts'", undefined],
    ['backends/ollama/x.ts', "import { a } from '../speed.ts'", undefined],
    ['cli/x.ts', "import { a } from '../backends/ollama/ollama.ts'", 'is not its business'],
    ['tools/x.ts', "import { a } from '../permission/decide.ts'", 'is not its business'],
    ['tools/x.ts', "import { a } from '../shell/create.ts'", undefined],
    ['agent/x.ts', "import { a } from '../tools/read.ts'", 'is not its business'],
    ['agent/x.ts', "import type { A } from '../tools/tool.ts'", undefined],
    ['agent/x.ts', "const { a } = await import('../backends/ollama/ollama.ts')", 'is not its business'],
    ['agent/x.ts', "import { a } from '../context/budget.ts'", 'is not its business'],
    ['context/x.ts', "import type { A } from '../backends/backend.ts'", undefined],
    ['context/x.ts', "import type { A } from '../tools/tool.ts'", 'is not its business'],
    ['session/x.ts', "import { a } from '../agent/loop.ts'", undefined],
    ['session/x.ts', "import { a } from '../tools/tool.ts'", 'is not its business'],
    ['session/x.ts', "import '../tui/app.ts'", 'climbs'],
    ['session/x.ts', "import { a } from '../kit/commands/table.ts'", 'climbs'],
    ['kit/x.ts', "import '../plain/plain.ts'", 'climbs'],
    ['kit/x.ts', "import { a } from '../tools/edit.ts'", 'is not its business'],
    ['tui/x.ts', "import { a } from '../kit/commands/table.ts'", undefined],
    ['plain/x.ts', "import { a } from '../print/print.ts'", 'is not its business'],
    ['plain/x.ts', "import type { A } from '../tools/edit.ts'", undefined],
    ['plain/x.ts', "import { type A } from '../tools/edit.ts'", 'is not its business'],
    ['tui/x.ts', "export { a } from '../backends/ollama/ollama.ts'", 'is not its business'],
    ['demo/x.ts', "import { a } from '../backends/backend.ts'", 'is not its business'],
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
