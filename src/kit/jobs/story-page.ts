/** A conversation as one HTML page: no script, nothing from elsewhere, dark and light as the reader's system is. */
import { Marked } from 'marked'
import type { Words } from '../../words/words.ts'
import type { Part, Story } from './story-parts.ts'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** What a model writes is text: its HTML is shown and not done, its images are not fetched, its links lead to the web or nowhere. */
const marked = new Marked({
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ href, text }) => escaped(`${text} (${href})`),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      return /^https?:\/\//i.test(href) ? `<a href="${escaped(href)}" rel="noreferrer">${text}</a>` : text
    },
  },
})

export function pageOf({ title, about, parts }: Story, { doing }: Words): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>${escaped(title)}</h1><p>${escaped(about)}</p></header>
<main>
${parts.map(part => partOf(part, doing.export.person)).join('\n')}
</main>
</body>
</html>
`
}

function partOf(part: Part, person: string): string {
  switch (part.who) {
    case 'person':
      return `<section class="person"><h2>${escaped(person)}</h2><p>${escaped(part.text)}</p></section>`
    case 'model':
      return `<section class="model">${marked.parse(part.text, { async: false })}</section>`
    case 'tool': {
      const { failed, name, subject, diff, output } = part
      const mark = failed ? '<b class="bad">✗</b>' : '<b class="good">✓</b>'
      const body = diff === undefined ? escaped(output) : diff.trimEnd().split('\n').map(diffLine).join('\n')
      const open = diff === undefined ? '' : ' open'
      return `<details${open}><summary>${mark} ${escaped(name)} <code>${escaped(subject)}</code></summary><pre>${body}</pre></details>`
    }
  }
}

function diffLine(line: string): string {
  const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : ''
  return kind === '' ? escaped(line) : `<span class="${kind}">${escaped(line)}</span>`
}

const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1c1e21; --soft: #5f6670; --edge: #d9dce1; --box: #f4f5f7; --mark: #0b62c4; --good: #17743a; --bad: #b3261e; --plus: #e3f5e8; --minus: #fbe7e6 }
@media (prefers-color-scheme: dark) { :root { --back: #14161a; --text: #e4e6ea; --soft: #9aa2ad; --edge: #30353d; --box: #1d2026; --mark: #6cb0ff; --good: #6fcf8e; --bad: #ff8a80; --plus: #17301f; --minus: #3a1d1d } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 52rem; padding: 2rem 1.25rem 4rem; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere }
header { border-bottom: 1px solid var(--edge); margin-bottom: 1.5rem }
h1 { font-size: 1.4rem; margin: 0 } header p { color: var(--soft); margin: .25rem 0 1rem; font-size: .9rem }
.person { border-left: 3px solid var(--mark); background: var(--box); padding: .6rem 1rem; margin: 2rem 0 1rem; border-radius: 0 .4rem .4rem 0 }
.person h2 { font-size: .8rem; color: var(--mark); margin: 0 } .person p { margin: .2rem 0; white-space: pre-wrap }
.model { margin: 1rem 0 } .model :is(h1, h2) { font-size: 1.2rem } .model :is(h3, h4, h5, h6) { font-size: 1rem }
details { border: 1px solid var(--edge); border-radius: .4rem; margin: .5rem 0; font-size: .9rem }
summary { padding: .35rem .75rem; cursor: pointer; color: var(--soft) } .good { color: var(--good) } .bad { color: var(--bad) }
code, pre { font: .875em/1.5 ui-monospace, monospace } pre { background: var(--box); margin: 0; padding: .75rem; overflow-x: auto; border-radius: .4rem }
.model pre { border: 1px solid var(--edge); margin: .75rem 0 } :not(pre) > code { background: var(--box); padding: .1em .3em; border-radius: .25rem }
.added, .removed { display: inline-block; min-width: 100% } .added { background: var(--plus); color: var(--good) } .removed { background: var(--minus); color: var(--bad) }
table { border-collapse: collapse } td, th { border: 1px solid var(--edge); padding: .3rem .6rem } a { color: var(--mark) }
blockquote { border-left: 3px solid var(--edge); margin: 0; padding-left: 1rem; color: var(--soft) }`
