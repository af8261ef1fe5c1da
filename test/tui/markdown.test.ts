import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import core from 'highlight.js/lib/core'
import { displayWidth } from '../../src/text/width.ts'
import { cellLines } from '../../src/tui/cells/lines.ts'
import type { Line } from '../../src/tui/line.ts'
import { blocksOf } from '../../src/tui/markdown/blocks.ts'
import { languageOf, loadLanguage } from '../../src/tui/markdown/languages.ts'
import { loadMarkdown, type Markdown } from '../../src/tui/markdown/markdown.ts'
import { EN } from '../../src/words/en.ts'
import { documentOf } from './documents.ts'
import { dressed, textOf } from './shown.ts'

let markdown: Markdown
before(async () => {
  markdown = await loadMarkdown({ onReady: () => {} })
})

/** As the transcript puts blocks together. */
function drawn(text: string, width: number): Line[] {
  return blocksOf(text).flatMap(({ block, joined }, index) => [
    ...(index === 0 || joined ? [] : [[]]),
    ...markdown.lines(block, width, { open: true }),
  ])
}

const ANSWER = `# Plan for **today**

Read \`a:b.ts\`, then *look* at [the docs](https://x.org/a?b=1&amp;c) or https://x.org. ~~No~~ &lt;b&gt; 👨‍👩‍👧 好的，开始。

1. First **bold** item with words
   - nested \`code\`

     second paragraph
   \`\`\`js
   run()
   \`\`\`
2. [x] with a number
- [x] done
- [ ] open

> a quote, **loud**
> > inside

| File | 说明 | Size |
|:-----|:---:|----:|
| \`main.ts\` | 入口 | 12 |
| a<br>b | **x** | 3456 |

\`\`\`
if (a) {
	b
}
\`\`\`

---

![logo](http://x.org/l.png) <kbd>Esc</kbd>`

describe('a reply', () => {
  it('has its styles', () => {
    assert.deepEqual(dressed(drawn(ANSWER, 120)), [
      '⟨heading underline: Plan for ⟩⟨heading bold underline: today⟩',
      '',
      'Read ⟨code: a:b.ts⟩, then ⟨italic: look⟩ at ⟨link: the docs⟩⟨muted:  (https://x.org/a?b=1&c)⟩ or ⟨link: https://x.org⟩. ⟨strike: No⟩ <b> 👨‍👩‍👧 好的，开始。',
      '',
      '⟨muted: 1. ⟩First ⟨bold: bold⟩ item with words',
      '   ⟨muted: • ⟩nested ⟨code: code⟩',
      '     second paragraph',
      '   run()',
      '⟨muted: 2. ⟩[X] with a number',
      '',
      '⟨muted: • ⟩[X] done',
      '⟨muted: • ⟩[ ] open',
      '',
      '⟨muted: │ ⟩⟨quote: a quote, ⟩⟨quote bold: loud⟩',
      '⟨muted: │ ⟩',
      '⟨muted: │ ⟩⟨muted: │ ⟩⟨quote: inside⟩',
      '',
      '⟨bold: File⟩   ⟨muted:  │ ⟩⟨bold: 说明⟩⟨muted:  │ ⟩⟨bold: Size⟩',
      '⟨muted: ────────┼──────┼─────⟩',
      '⟨code: main.ts⟩⟨muted:  │ ⟩入口⟨muted:  │ ⟩  12',
      'a      ⟨muted:  │ ⟩ ⟨bold: x⟩  ⟨muted:  │ ⟩3456',
      'b      ⟨muted:  │ ⟩    ⟨muted:  │ ⟩    ',
      '',
      'if (a) {',
      '    b',
      '}',
      '',
      `⟨muted: ${'─'.repeat(120)}⟩`,
      '',
      '⟨link: logo⟩⟨muted:  (http://x.org/l.png)⟩ ⟨muted: <kbd>⟩Esc⟨muted: </kbd>⟩',
    ])
  })

  it('is wrapped under its indents', () => {
    assert.deepEqual(textOf(drawn(ANSWER, 40)).slice(2, 9), [
      'Read a:b.ts, then look at the docs',
      '(https://x.org/a?b=1&c) or',
      'https://x.org. No <b> 👨‍👩‍👧 好的，开始。',
      '',
      '1. First bold item with words',
      '   • nested code',
      '     second paragraph',
    ])
    assert.deepEqual(textOf(drawn('- one 好好好好\n  1. two three', 12)), [
      '• one 好好好',
      '  好',
      '  1. two',
      '     three',
    ])
    assert.deepEqual(textOf(drawn('> - 1. 2. abcdefghij kl', 8)), [
      '│ • abcd',
      '│   efgh',
      '│   ij',
      '│   kl',
    ])
  })

  it('never is wider than the screen', () => {
    const texts = [ANSWER, ...Array.from({ length: 5 }, (_, seed) => documentOf(seed, 6))]
    for (const width of [120, 40, 17, 8]) {
      for (const line of texts.flatMap(text => textOf(drawn(text, width)))) {
        assert.ok(displayWidth(line) <= width, `${width}: ${JSON.stringify(line)}`)
      }
    }
  })

  it('keeps the numbers of a long list that is drawn in parts', () => {
    const items = (sign: (index: number) => string): string =>
      Array.from({ length: 20 }, (_, index) => `${sign(index)} x`).join('\n')
    const numbers = (text: string): number[] => textOf(drawn(text, 20)).map(line => Number.parseInt(line, 10))
    const from = (start: number): number[] => Array.from({ length: 20 }, (_, index) => start + index)
    assert.deepEqual(numbers(items(() => '1.')), from(1))
    assert.deepEqual(numbers(items(index => `${index + 7}.`)), from(7))
  })

  it('lets what looks like formatting be', () => {
    const rows = [
      'a_b_c 2 * 3 * 4',
      ':smile: x:y:z',
      '* not a list',
      '&nbsp',
      '\\*a\\*',
      '5\\. a',
      '#tag',
      'a | b',
      '&constructor; www.x.org',
    ]
    const shown = rows.map(row => textOf(drawn(row, 80)).join('\n'))
    assert.deepEqual(shown, [
      ...['a_b_c 2 * 3 * 4', ':smile: x:y:z', '• not a list', '&nbsp', '*a*', '5. a', '#tag', 'a | b'],
      '&constructor; http://www.x.org',
    ])
  })
})

describe('a table', () => {
  const TABLE = `| Name | Description | 状态 |
|---|---|---|
| parser | reads a long line of many words | 完成了 |
| x | y | 未 |`

  it('wraps its cells where it is too wide', () => {
    assert.deepEqual(textOf(drawn(TABLE, 40)), [
      'Name   │ Description            │ 状态',
      '───────┼────────────────────────┼───────',
      'parser │ reads a long line of   │ 完成了',
      '       │ many words             │ ',
      'x      │ y                      │ 未',
    ])
  })

  it('becomes a list where columns would be too narrow', () => {
    assert.deepEqual(textOf(drawn(TABLE, 20)), [
      '• Name: parser',
      '  Description: reads',
      '  a long line of',
      '  many words',
      '  状态: 完成了',
      '• Name: x',
      '  Description: y',
      '  状态: 未',
    ])
    assert.deepEqual(dressed(drawn(TABLE, 20))[0], '⟨muted: • ⟩⟨bold: Name⟩⟨muted: : ⟩parser')
  })

  it('has the same columns in all its parts', () => {
    const rows = Array.from(
      { length: 80 },
      (_, index) => `| ${index} | ${index > 40 ? 'wider than before' : 'x'} |`,
    )
    const lines = textOf(drawn(`| n | what |\n|--:|---|\n${rows.join('\n')}`, 40))
    assert.deepEqual(lines.slice(0, 3), [' n │ what', '───┼─────', ' 0 │ x'])
    assert.deepEqual(new Set(lines.map(line => line.search(/[│┼]/))), new Set([3]))
  })

  it('shows what has no cells, and cells without a head', () => {
    assert.deepEqual(textOf(drawn('| a | b |\n|---|---|', 20)), ['a │ b', '──┼──'])
    assert.deepEqual(textOf(drawn('| | |\n|---|---|\n| some words | and more |', 12)), [
      '• some words',
      '  and more',
    ])
  })
})

describe('Markdown that nobody writes', () => {
  it('is shown as it was written where it is nested too deep', () => {
    const look = { unfolded: false, words: EN, now: 0, markdown }
    for (const source of ['> '.repeat(2000), '- '.repeat(2000), '1. '.repeat(1300)]) {
      const text = `${source}x`
      const lines = textOf(cellLines({ type: 'reply', block: { type: 'markdown', source: text } }, 40, look))
      assert.equal(lines.join('').replaceAll(' ', ''), text.replaceAll(' ', ''))
    }
  })
})

describe('what a model may write to a terminal', () => {
  const ESC = '\x1b'
  const fixtures = new URL('../fixtures/terminal-cases.json', import.meta.url)
  const cases: { input: string }[] = JSON.parse(readFileSync(fixtures, 'utf8'))
  const unescaped = (input: string): string =>
    input.replaceAll(/\\x([0-9a-f]{2})|\\u([0-9a-f]{4})/gi, (_, byte, unit) =>
      String.fromCharCode(Number.parseInt(byte ?? unit, 16)),
    )
  const entities = (text: string): string =>
    text.replaceAll(/[^ -~]/g, character => `&#${character.charCodeAt(0)};`)
  const raw = [
    ...cases.map(({ input }) => unescaped(input)),
    `${ESC}]8;;http://evil${ESC}\\x${ESC}]8;;${ESC}\\`,
    '\u009d52;c;ZXZpbA==\u009c\u009b2J',
    'a\u202eb\u2066c\u200bd\u{e0041}e',
    // The marks that the renderer writes.
    '\x0ekx\x0f\x10a\x11b\x12c\x13\x14lr\x15\x16d\x17\x18\x01e\x02',
  ]
  const payloads = [...raw, ...raw.map(entities), ...raw.map(text => entities(entities(text)))]
  const contexts: ((text: string) => string)[] = [
    text => text,
    text => `# ${text}`,
    text => `**${text}** *${text}* ~~${text}~~ \`${text}\``,
    text => `- ${text}\n  - ${text}`,
    text => `1. [ ] ${text}`,
    text => `> ${text}`,
    text => `\`\`\`${text.replaceAll(/\s/g, '')}\n${text}\n\`\`\``,
    text => `\`\`\`js\n"${text}" // ${text}\n\`\`\``,
    text => `    ${text}`,
    text => `| ${text} | b |\n|---|---|\n| ${text} | ${text} |`,
    text => `[${text}](http://x/${text} "${text}") <http://x/${text}> ![${text}](${text})`,
    text => `<div title="${text}">${text}</div>\n\n<!-- ${text} -->`,
    text => `x <b title="${text}">${text}</b>`,
  ]

  it('is nothing but text, wherever it stands', () => {
    assert.ok(payloads.length > 30)
    for (const payload of payloads) {
      for (const context of contexts) {
        const text = context(payload)
        for (const { block } of [...blocksOf(text), { block: { type: 'markdown', source: text } } as const]) {
          for (const width of [40, 8]) {
            for (const line of textOf(markdown.lines(block, width, { open: false }))) {
              assert.doesNotMatch(
                line,
                /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e0fff}]/u,
                text,
              )
            }
          }
        }
      }
    }
  })

  it('cannot forge a style or a table', () => {
    for (const forged of ['\x0ekred\x0f', '&#14;kred&#15;', '`\x0ekred\x0f`']) {
      const styles = new Set(
        drawn(`a ${forged} b`, 40)
          .flat()
          .map(({ style }) => style),
      )
      assert.ok(!styles.has('keyword'), JSON.stringify(forged))
    }
    assert.deepEqual(textOf(drawn('\x14l\x15\x16a\x16b\x17', 40)), ['lab'])
  })
})

describe('the colours of code', () => {
  /** Draws until the code has its colours. */
  async function colored(source: string): Promise<string[]> {
    let wake = () => {}
    const own = await loadMarkdown({ onReady: () => wake() })
    const pieces = blocksOf(source)
    const draw = () => pieces.flatMap(({ block }) => own.lines(block, 60, { open: false }))
    const plain = textOf(draw())
    for (let version = -1; version !== own.version && own.version < pieces.length; ) {
      version = own.version
      draw()
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
    assert.deepEqual(textOf(draw()), plain, 'the text changed')
    return dressed(draw())
  }

  it('come when it is closed, for languages that are known', async () => {
    const code = 'const a: string = `x` // </span> &amp;\nreturn f(/r/, 1)'
    assert.deepEqual(await colored(`\`\`\`ts\n${code}\n\`\`\``), [
      '⟨keyword: const⟩ ⟨function: a⟩: ⟨type: string⟩ = ⟨string: `x`⟩ ⟨comment: // </span> &amp;⟩',
      '⟨keyword: return⟩ ⟨function: f⟩(⟨string: /r/⟩, ⟨number: 1⟩)',
    ])
  })

  it('go on through the parts of a long piece', async () => {
    const lines = [...Array.from({ length: 63 }, () => 'x = 1'), '"""', 'words', '"""', 'y = 2']
    const shown = await colored(`\`\`\`python\n${lines.join('\n')}\n\`\`\``)
    assert.deepEqual(shown.slice(-4), [
      ...['⟨string: """⟩', '⟨string: words⟩', '⟨string: """⟩', 'y = ⟨number: 2⟩'],
    ])
  })

  it('are known for every language of the list, by all its names', async () => {
    const hljs = core.newInstance()
    const names =
      'bash c cpp csharp css diff dockerfile go ini java javascript json kotlin lua makefile markdown php'
    const more = 'python ruby rust sql swift typescript xml yaml'
    for (const name of `${names} ${more}`.split(' ')) {
      assert.equal(languageOf(name), name)
      await loadLanguage(hljs, languageOf(name) ?? 'c')
    }
    assert.deepEqual(hljs.listLanguages().sort(), `${names} ${more}`.split(' '))
    const others = [
      'sh',
      'c++',
      'js',
      'tsx',
      'py',
      'rs',
      'yml',
      'html',
      'toml',
      'docker',
      'md',
      'golang',
    ].map(languageOf)
    assert.ok(others.every(name => name !== undefined))
  })

  it('stay away while it is open, without a language, with a strange one, and where it is very long', async () => {
    let isReady = false
    const own = await loadMarkdown({
      onReady: () => {
        isReady = true
      },
    })
    const code = { type: 'code', language: 'js', text: 'const a = 1' } as const
    own.lines(code, 40, { open: true })
    for (const language of ['', 'nosuch', 'constructor', '__proto__'])
      own.lines({ ...code, language }, 40, { open: false })
    own.lines({ ...code, text: code.text.repeat(2000) }, 40, { open: false })
    // What is asked for later is done later.
    own.lines({ ...code, text: 'let b' }, 40, { open: false })
    while (own.version === 0) await new Promise(resolve => setTimeout(resolve, 5))
    await new Promise(resolve => setTimeout(resolve, 60))
    assert.equal(own.version, 1)
    assert.ok(isReady)
    assert.deepEqual(dressed(own.lines({ ...code, text: 'let b' }, 40, { open: false })), [
      '⟨keyword: let⟩ b',
    ])
  })
})
