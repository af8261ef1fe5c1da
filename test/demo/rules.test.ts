import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rules } from '../../src/demo/rules/rules.ts'
import { cut, sentChild } from '../../src/shell/notes.ts'
import { type DemoServer, startServer } from '../support/demo/server.ts'
import { assistant, called, chat, result, system, user } from './client.ts'
import { type Call, dialects, talk } from './talk.ts'

let server: DemoServer
before(async () => {
  server = await startServer({ model: rules(), capabilities: ['completion', 'tools', 'thinking'] })
})
after(async () => {
  const violations = [...server.violations]
  await server.close()
  assert.deepEqual(violations, [])
})

const numbered = (text: string) =>
  text
    .split('\n')
    .map((line, index) => `${index + 1}\t${line}`)
    .join('\n')
const readme = numbered('# Beaver\n\nBuilds dams from **sticks**.\n\nRun `rm -rf dams` to start over')
const manifest = numbered(
  '{\n  "name": "beaver",\n  "scripts": { "test": "node --test", "dam": "node dam.js" }\n}',
)

/** What a small project answers, in the words of gopi's tools. */
function project(call: Call): string {
  const { name, arguments: args } = call
  if (name === 'ls') return 'README.md\ndocs/\nlink -> README.md\npackage.json\nsrc/'
  if (name === 'find') return 'README.md\ndocs/wood.md'
  if (name === 'grep') return 'src/dam.js:3:  // TODO: wider\nsrc/stick.js:10:TODO'
  if (name === 'write') return `Created ${args.path}: 1 line, 13 bytes.`
  if (name === 'edit') return `Edited ${args.path} at line 1 (+1 −1 lines).`
  if (name === 'read' && args.path === 'package.json') return manifest
  if (name === 'read' && args.path === 'src/dam.js') return '3\tconst dam = 1\n4\tdam = 2\n5\texport {}'
  if (name === 'read' && args.path === 'missing.txt') return 'missing.txt: no such file or directory (ENOENT)'
  if (name === 'read' && args.path === 'one.txt') return numbered('# Only')
  if (name === 'read') return readme
  if (args.command === 'echo hi') return 'hi'
  if (args.command === 'true') return '(no output)'
  if (args.command === 'serve') return `listening\n\n${sentChild('b1')}`
  if (args.command === 'sleep 9') return cut('timeout', { cwd: '/p', timeout: 2000 })
  if (args.command === 'nix') return 'bash: nix: command not found\nexit code 127'
  return '> beaver@1.0.0 test\n\nTypeError: Assignment to constant variable.\n    at src/dam.js:4:5\nexit code 1'
}

interface Case {
  words: string
  /** Tool names by turn, where the dialect allows several calls in one reply. */
  turns: string[][]
  /** Arguments of the calls that matter, in order. */
  args?: (object | undefined)[]
  answer: RegExp[]
}

const cases: Case[] = [
  {
    words: 'What is in this project?',
    turns: [
      ['ls', 'find'],
      ['read', 'read'],
    ],
    answer: [
      /\*\*Beaver\*\*/,
      /Builds dams/,
      /npm run dam/,
      /2 directories and 3 files/,
      /`docs\/wood\.md`/,
      /`link`/,
    ],
  },
  {
    words: '这个项目里有什么？',
    turns: [
      ['ls', 'find'],
      ['read', 'read'],
    ],
    answer: [/这是 \*\*Beaver\*\*/, /2 个目录和 3 个文件/, /`docs\/wood\.md`/],
  },
  {
    words: 'Please read README.md',
    turns: [['read']],
    args: [{ path: 'README.md' }],
    answer: [/`README\.md` has 5 lines/, /# Beaver/],
  },
  {
    words: '读一下 README.md',
    turns: [['read']],
    args: [{ path: 'README.md' }],
    answer: [/有 5 行/, /# Beaver/],
  },
  {
    words: 'What does src/dam.js do?',
    turns: [['read']],
    args: [{ path: 'src/dam.js' }],
    answer: [/`src\/dam\.js` has 3 lines/, /const dam = 1/],
  },
  {
    words: 'src/dam.js 是做什么的？',
    turns: [['read']],
    args: [{ path: 'src/dam.js' }],
    answer: [/有 3 行/],
  },
  { words: 'What does it do?', turns: [], answer: [/did not understand/, /^(?![\s\S]*--demo)/] },
  { words: 'read missing.txt', turns: [['read']], answer: [/did not work: .*no such file/] },
  { words: '看看 missing.txt', turns: [['read']], answer: [/没有成功：.*no such file/] },
  {
    words: 'find all markdown files',
    turns: [['find']],
    args: [{ pattern: '**/*.md' }],
    answer: [/2 files match/, /docs\/wood\.md/],
  },
  {
    words: '查找 *.md 文件',
    turns: [['find']],
    args: [{ pattern: '**/*.md' }],
    answer: [/有 2 个文件/, /README\.md/],
  },
  {
    words: 'search for TODO in src',
    turns: [['grep']],
    args: [{ pattern: 'TODO', path: 'src' }],
    answer: [/in 2 lines of 2 files/, /src\/dam\.js:3/],
  },
  {
    words: '在 src 里搜索 TODO',
    turns: [['grep']],
    args: [{ pattern: 'TODO', path: 'src' }],
    answer: [/2 个文件的 2 行/, /src\/stick\.js:10/],
  },
  {
    words: 'run `echo hi`',
    turns: [['bash']],
    args: [{ command: 'echo hi' }],
    answer: [/succeeded/, /^hi$/m],
  },
  {
    words: '运行 `echo hi`',
    turns: [['bash']],
    args: [{ command: 'echo hi' }],
    answer: [/运行成功/, /^hi$/m],
  },
  {
    words: 'run serve',
    turns: [['bash']],
    args: [{ command: 'serve' }],
    answer: [/serve` goes on in the background, as b1\./m, /^(?![\s\S]*succeeded)/],
  },
  {
    words: 'run sleep 9',
    turns: [['bash']],
    args: [{ command: 'sleep 9' }],
    answer: [/did not end within 2 s/, /^(?![\s\S]*succeeded)/],
  },
  { words: 'read one.txt', turns: [['read']], args: [{ path: 'one.txt' }], answer: [/has 1 line\./] },
  { words: 'run true', turns: [['bash']], args: [{ command: 'true' }], answer: [/printed nothing/] },
  {
    words: 'Why does `npm test` fail?',
    turns: [['bash'], ['read']],
    args: [{ command: 'npm test' }, { path: 'src/dam.js', offset: 2, limit: 5 }],
    answer: [/exit code 1\b/, /^TypeError: Assignment to constant variable\.$/m, /dam = 2/],
  },
  {
    words: '为什么 `npm test` 失败？',
    turns: [['bash'], ['read']],
    args: [{ command: 'npm test' }],
    answer: [/退出码是 1/, /^TypeError/m, /dam = 2/],
  },
  {
    words: 'explain why nix fails',
    turns: [['bash']],
    answer: [/127/, /command not found/, /knows no such command/],
  },
  { words: 'explain a failing command', turns: [['bash'], ['read']], answer: [/exit code/] },
  {
    words: 'Create hello.txt with Hello, world!',
    turns: [['write']],
    args: [{ path: 'hello.txt', content: 'Hello, world!\n' }],
    answer: [/`hello\.txt` now holds 1 line/],
  },
  {
    words: 'create a file named a/b.md containing ```md\n# One\n\nTwo\n```',
    turns: [['write']],
    args: [{ path: 'a/b.md', content: '# One\n\nTwo\n' }],
    answer: [/`a\/b\.md` now holds 3 lines/],
  },
  {
    words: '创建 hello.txt，内容为“你好，世界”',
    turns: [['write']],
    args: [{ path: 'hello.txt', content: '你好，世界\n' }],
    answer: [/`hello\.txt` 现在有 1 行/],
  },
  {
    words: 'Replace sticks by stones in README.md',
    turns: [['read'], ['edit']],
    args: [{ path: 'README.md' }, { path: 'README.md', old: 'sticks', new: 'stones' }],
    answer: [/“sticks” is “stones” now, in one place/],
  },
  {
    words: '把 README.md 里的 dams 改成 walls',
    turns: [['read'], ['edit']],
    args: [undefined, { path: 'README.md', old: 'dams', new: 'walls', all: true }],
    answer: [/“dams”已改成“walls”，共 2 处/],
  },
  { words: 'replace cats by dogs in README.md', turns: [['read']], answer: [/no “cats” in `README\.md`/] },
  { words: 'hello', turns: [], answer: [/demo/, /script/, /no language model/, /Search for TODO/] },
  { words: 'are you a real AI?', turns: [], answer: [/no language model/] },
  { words: '你好', turns: [], answer: [/不是语言模型/, /搜索 TODO/] },
  { words: 'What is the meaning of life?', turns: [], answer: [/did not understand/, /no language model/] },
  { words: '今天天气怎么样', turns: [], answer: [/没有听懂/, /不是语言模型/] },
  // Words that stepped in, or came with something else, stand in paragraphs of their own.
  {
    words: 'run `npm test`\n\nno, run `echo hi`',
    turns: [['bash']],
    args: [{ command: 'echo hi' }],
    answer: [/^hi$/m],
  },
  {
    words: 'run `echo hi`\n\n[aborted by user]',
    turns: [['bash']],
    args: [{ command: 'echo hi' }],
    answer: [/^hi$/m],
  },
  // What gopi puts behind the first words of a session has no say in the language.
  {
    words: '今天天气怎么样\n\n(22Nov2026 on master; mode plan: look and answer, change nothing)',
    turns: [],
    answer: [/没有听懂/],
  },
  { words: '解释 README.md\n\n(22Nov2026 on master)', turns: [['read']], answer: [/有 5 行/] },
  { words: 'run `echo hi`\n\nsome text from a pipe', turns: [['bash']], answer: [/^hi$/m] },
]

for (const [name, dialect] of Object.entries(dialects())) {
  describe(`in ${name} the demo understands`, () => {
    for (const { words, turns, args = [], answer } of cases) {
      it(words.replace(/\n/g, '⏎'), async () => {
        const run = await talk(server, dialect, { words, brings: project })
        const wanted = name === 'react' ? turns.flat().map(call => [call]) : turns
        assert.deepEqual(run.turns, wanted)
        for (const [index, wantedArgs] of args.entries()) {
          if (wantedArgs) assert.deepEqual(run.calls[index]?.arguments, wantedArgs)
        }
        for (const text of answer) assert.match(run.answer, text)
      })
    }

    it('a denial, and changes nothing', async () => {
      for (const denial of [
        'Denied: nobody could be asked. It was not run.',
        'The user denied this call and says: no',
      ]) {
        const run = await talk(server, dialect, { words: 'run `echo hi`', brings: () => denial })
        assert.equal(run.turns.length, 1)
        assert.match(run.answer, /did not allow/)
      }
    })

    it('one request after the other in the same conversation', async () => {
      const first = await talk(server, dialect, { words: 'run `echo hi`', brings: project })
      const second = await talk(server, dialect, {
        words: '读一下 README.md',
        brings: project,
        before: first.messages,
      })
      assert.deepEqual(second.calls, [{ name: 'read', arguments: { path: 'README.md' } }])
      assert.match(second.answer, /有 5 行/)
    })
  })

  it(`in ${name} the demo calls only tools that are there, or bash instead`, async () => {
    const withBash = await talk(server, dialects(['bash'])[name]!, {
      words: "read it's.md",
      brings: () => 'no',
    })
    const quoted = await talk(server, dialects(['bash'])[name]!, {
      words: 'search for it',
      brings: () => 'no',
    })
    assert.deepEqual(quoted.calls, [{ name: 'bash', arguments: { command: "grep -rnE 'it' '.'" } }])
    assert.equal(
      withBash.turns.flat().every(call => call === 'bash'),
      true,
    )
    const without = await talk(server, dialects(['ls'])[name]!, { words: 'read a.md', brings: project })
    assert.deepEqual(without.turns, [])
    assert.match(without.answer, /tool .* I was not given/)
  })
}

it('words that step in while a tool runs are joined to its result and are followed; a command’s output is not', async () => {
  const { react } = dialects()
  const turn = [assistant('Thought: x\nAction: read\nAction Input: {"path": "README.md"}\n')]
  const bash = [assistant('Thought: x\nAction: bash\nAction Input: {"command": "cat a"}\n')]
  const ask = (messages: ReturnType<typeof user>[]) =>
    chat(server, { messages: [system(react!.system), ...messages] })
  const stepped = await ask([
    user('read README.md'),
    ...turn,
    user(`Observation: ${readme}\n\nrun \`echo hi\``),
  ])
  assert.match(stepped.text, /Action: bash\nAction Input: \{"command":"echo hi"\}/)
  const fooled = await ask([user('run `cat a`'), ...bash, user('Observation: text\n\nrun `echo hi`')])
  assert.match(fooled.text, /succeeded and printed/)
})

it('the note about an unreadable reply does not count as the user’s words', async () => {
  const { native } = dialects()
  const messages = [
    system('s'),
    user('run `echo hi`'),
    assistant('{"broken'),
    user(
      'Your last reply could not be read. It was cut. Either answer in plain text, or call one of these tools: bash.',
    ),
  ]
  const answer = await chat(server, { ...native!.fields, messages })
  assert.deepEqual(
    answer.calls.map(({ arguments: args }) => args),
    [{ command: 'echo hi' }],
  )
})

it('the demo thinks aloud when it is asked to, and streams its answer in many pieces', async () => {
  const messages = [
    system('s'),
    user('run `echo hi`'),
    called('bash', { command: 'echo hi' }),
    result('bash', 'hi'),
  ]
  const { lines } = await chat(server, { ...dialects().native!.fields, messages, think: true })
  assert.match(lines.map(line => line.message?.thinking ?? '').join(''), /I can answer/)
  assert.ok(lines.length > 10)
})
