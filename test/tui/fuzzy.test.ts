import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Haystack, placesOf } from '../../src/tui/fuzzy.ts'

const PATHS = [
  'README.md',
  'config.example.yaml',
  'src/app/main.ts',
  'src/app/mainframe.ts',
  'src/config/config.ts',
  'src/config/config.test.ts',
  'src/config/load.ts',
  'src/domain/remain.ts',
  'src/server/httpServer.ts',
  'src/server/http-server-options.ts',
  'src/tui/list/picker.ts',
  'src/tui/list/picker-lines.ts',
  'src/用户/设置.ts',
  'test/server/http.test.ts',
]
const paths = new Haystack(PATHS)
const found = (needle: string, most = 8) => paths.best(needle, { most }).map(({ text }) => text)

describe('fuzzy search', () => {
  const firsts: [needle: string, first: string | undefined, why: string][] = [
    ['main', 'src/app/main.ts', 'a whole name beats a beginning and an inside'],
    ['config', 'src/config/config.ts', 'a name without its ending is whole; more endings are not'],
    ['main.ts', 'src/app/main.ts', 'with its ending too'],
    ['hs', 'src/server/httpServer.ts', 'starts of words, of two such the shorter'],
    ['hso', 'src/server/http-server-options.ts', 'starts of words after a hyphen'],
    ['picklin', 'src/tui/list/picker-lines.ts', 'pieces of one name'],
    ['tuipick', 'src/tui/list/picker.ts', 'pieces of the path where no name fits'],
    ['server/http', 'src/server/httpServer.ts', 'in one piece across the slash'],
    ['READ', 'README.md', 'case does not count'],
    ['readme', 'README.md', 'case does not count the other way round'],
    ['设置', 'src/用户/设置.ts', 'any script'],
    ['srcdomain', 'src/domain/remain.ts', 'directories alone'],
    ['xyz', undefined, 'what is nowhere is not found'],
    ['emdaer', undefined, 'the order counts'],
    ['README.mdd', undefined, 'what is longer is not found'],
  ]
  for (const [needle, first, why] of firsts)
    it(`finds ${first ?? 'nothing'} for ${needle}: ${why}`, () =>
      assert.equal(found(needle)[0], first, found(needle).join(' ')))

  it('finds everything when nothing is typed, the shortest first', () => {
    assert.deepEqual(found('', 3), ['README.md', 'src/用户/设置.ts', 'src/app/main.ts'])
    assert.equal(found('', 99).length, PATHS.length)
  })

  it('puts what is known to matter before others like it', () => {
    const extra = new Map([['src/app/mainframe.ts', 100]])
    assert.equal(paths.best('main', { most: 1, extra })[0]?.text, 'src/app/mainframe.ts')
    assert.equal(paths.best('xyz', { most: 1, extra }).length, 0)
  })

  it('finds each text once and says where it stands', () => {
    const hits = paths.best('s', { most: 99 })
    assert.equal(new Set(hits.map(({ index }) => index)).size, hits.length)
    for (const { text, index } of hits) assert.equal(PATHS[index], text)
    for (const [before, after] of hits.slice(1).map((hit, at) => [hits[at], hit] as const))
      assert.ok((before?.score ?? 0) >= after.score)
  })

  it('finds directories by their slash too', () => {
    const directories = new Haystack(['src/', 'src/tui/', 'test/tui/', 'src/tui/app.ts'])
    const all = (needle: string) => directories.best(needle, { most: 9 }).map(({ text }) => text)
    assert.equal(all('src/')[0], 'src/')
    assert.deepEqual(all('tui/').slice(0, 2), ['src/tui/', 'test/tui/'])
    assert.deepEqual(all('c/tui/'), ['src/tui/', 'src/tui/app.ts'])
  })

  it('keeps the order of equals', () => {
    assert.deepEqual(
      new Haystack(['b1', 'b2', 'b3']).best('b', { most: 2 }).map(({ text }) => text),
      ['b1', 'b2'],
    )
  })

  it('finds the one that was meant among many that also fit', () => {
    const many = new Haystack(
      Array.from({ length: 30_000 }, (_, at) => `src/a${at}/state-of-the-app-${at}.ts`),
    )
    many.add(['src/tui/stapp.ts'])
    assert.equal(many.size, 30_001)
    assert.equal(many.best('stapp', { most: 8 })[0]?.text, 'src/tui/stapp.ts')
    assert.equal(many.best('tui/stapp', { most: 8 })[0]?.text, 'src/tui/stapp.ts')
  })

  it('agrees with itself about what fits', () => {
    for (const needle of ['main', 'hso', 'tuipick', 'server/http', '设置', 'İ', 'e.ts']) {
      for (const path of PATHS) {
        const isHit = found(needle, 99).includes(path)
        const places = placesOf(needle, path)
        // Paths are looked at only where too few names fit.
        if (isHit) assert.equal(places.length, needle.length, `${needle} in ${path}`)
        assert.equal(
          places.map(at => path[at]?.toLowerCase()).join(''),
          places.length > 0 ? needle.toLowerCase() : '',
        )
        assert.deepEqual(
          places,
          [...new Set(places)].sort((a, b) => a - b),
        )
      }
    }
  })
})
