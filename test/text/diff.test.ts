import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Diff, diffLines } from '../../src/text/diff.ts'

describe('the line diff', () => {
  it('shows a change with three lines of context', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\n'
    assert.deepEqual(diffLines(before, before.replace('e', 'E')), {
      diff: '@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n',
      added: 1,
      removed: 1,
    })
  })

  it('keeps lines in the middle that stayed', () => {
    const { diff, added, removed } = diffLines('x\nkeep\ny\n', 'X\nkeep\nY\nZ\n')
    assert.equal(diff, '@@ -1,3 +1,4 @@\n-x\n+X\n keep\n-y\n+Y\n+Z\n')
    assert.deepEqual([added, removed], [3, 2])
  })

  it('splits far changes into hunks and joins near ones', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}\n`)
    const change = (...numbers: number[]) =>
      lines.map((line, at) => (numbers.includes(at) ? line.toUpperCase() : line)).join('')
    assert.equal(hunks(diffLines(lines.join(''), change(5, 11))), 1)
    assert.equal(hunks(diffLines(lines.join(''), change(5, 13))), 2)
  })

  it('says nothing of equal texts, and handles empty ones', () => {
    assert.deepEqual(diffLines('a\n', 'a\n'), { diff: '', added: 0, removed: 0 })
    assert.equal(diffLines('', 'a\nb\n').diff, '@@ -0,0 +1,2 @@\n+a\n+b\n')
    assert.equal(diffLines('a\n', '').diff, '@@ -1,1 +0,0 @@\n-a\n')
  })

  it('tells a missing last line end and a changed one apart', () => {
    assert.equal(diffLines('a\n', 'a').diff, '@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n')
    assert.equal(diffLines('a\n', 'a\r\n').diff, '@@ -1,1 +1,1 @@\n-a\n+a\r\n')
  })

  it('leads from the one text to the other, whatever they are', () => {
    let state = 7
    const random = (below: number) => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
      return (state >>> 8) % below
    }
    const text = () =>
      Array.from({ length: random(14) }, () => 'abcd'[random(4)]).join('\n') + (random(2) ? '\n' : '')
    for (let round = 0; round < 3000; round++) {
      const before = text()
      const after = text()
      assert.equal(apply(before, diffLines(before, after)), after, JSON.stringify([before, after]))
    }
  })

  it('shows one block when too much changed, at a bounded cost', () => {
    const lines = (mark: string) => Array.from({ length: 60_000 }, (_, at) => `${mark} ${at}\n`).join('')
    const { diff, added, removed } = diffLines(`same\n${lines('a')}end\n`, `same\n${lines('b')}end\n`)
    assert.deepEqual([added, removed], [60_000, 60_000])
    assert.ok(diff.startsWith('@@ -1,60002 +1,60002 @@\n same\n-a 0\n-a 1\n'))
    assert.ok(diff.endsWith('+b 59999\n end\n'))
  })

  it('finds one change in a big file', () => {
    const big = Array.from({ length: 200_000 }, (_, at) => `line ${at}\n`)
    const after = [...big.slice(0, 5000), 'new\n', ...big.slice(5000, 190_000), ...big.slice(190_001)]
    const found = diffLines(big.join(''), after.join(''))
    assert.deepEqual([found.added, found.removed, hunks(found)], [1, 1, 2])
  })
})

function hunks({ diff }: Diff): number {
  return diff.split('\n').filter(line => line.startsWith('@@')).length
}

/** Reads a diff back, as `patch` does. */
function apply(before: string, { diff }: Diff): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const result: string[] = []
  let at = 0
  for (const line of diff.match(/[^\n]*\n/g) ?? []) {
    const start = /^@@ -(\d+),(\d+)/.exec(line)
    const text = line.slice(1)
    if (start) {
      const first = Number(start[1]) - (start[2] === '0' ? 0 : 1)
      result.push(...old.slice(at, first))
      at = first
    } else if (line.startsWith('\\')) {
      result.push((result.pop() ?? '').slice(0, -1))
    } else {
      if (line[0] !== '+') {
        assert.equal(text.trimEnd(), old[at]?.trimEnd(), 'the diff names a line that is not there')
        at++
      }
      if (line[0] !== '-') result.push(text)
      else result.push('')
    }
  }
  return result.concat(old.slice(at)).join('')
}
