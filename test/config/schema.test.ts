import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, parseDuration } from '../../src/config/duration.ts'
import { checkConfig, said } from '../../src/config/schema.ts'
import { ruleProblem } from '../../src/rules/rule.ts'

function problems(tree: unknown): string[] {
  const checked = checkConfig(tree)
  return 'problems' in checked ? checked.problems.map(problem => said(problem).slice(2)) : []
}

test('what is allowed becomes flat values, times as milliseconds', () => {
  const rows: [unknown, Record<string, unknown>][] = [
    [undefined, {}],
    [null, {}],
    [{}, {}],
    [{ ollama: null, permission: { allow: null }, tui: { keys: null }, extensions: null }, {}],
    [{ ollama: { model: undefined } }, {}],
    [{ ollama: { timeout: '2m' } }, { 'ollama.timeout': 120_000 }],
    [{ tools: { bash_timeout: '1ms' } }, { 'tools.bash_timeout': 1 }],
    [{ tools: { bash_timeout: '596h' } }, { 'tools.bash_timeout': 2_145_600_000 }],
    [{ ollama: { keep_alive: '0s' } }, { 'ollama.keep_alive': '0s' }],
    [{ ollama: { keep_alive: '1000h' } }, { 'ollama.keep_alive': '1000h' }],
    [{ ollama: { keep_alive: -1 } }, { 'ollama.keep_alive': -1 }],
    [{ ollama: { keep_alive: '-1' } }, { 'ollama.keep_alive': -1 }],
    [{ ollama: { host: ' "127.0.0.1" ' } }, { 'ollama.host': ' "127.0.0.1" ' }],
    [{ ollama: { model: 'hf.co/user/m:Q4_K_M' } }, { 'ollama.model': 'hf.co/user/m:Q4_K_M' }],
    [{ context: { max_tokens: 0 } }, { 'context.max_tokens': 0 }],
    [{ context: { compaction_threshold: 0.3 } }, { 'context.compaction_threshold': 0.3 }],
    [{ context: { compaction_threshold: 0.9 } }, { 'context.compaction_threshold': 0.9 }],
    [{ context: { keep_recent: 2 } }, { 'context.keep_recent': 2 }],
    [
      {
        sandbox: {
          network: ['*', 'example.com', '*.example.com:8443', '10.0.0.1', '[::1]:3000', 'bücher.example'],
        },
      },
      {
        sandbox: {
          network: ['*', 'example.com', '*.example.com:8443', '10.0.0.1', '[::1]:3000', 'bücher.example'],
        },
      },
    ],
    [{ permission: { env: ['AWS_*', 'TOKEN'] } }, { 'permission.env': ['AWS_*', 'TOKEN'] }],
    [{ tui: { keys: { steer: 'ctrl+s' } } }, { 'tui.keys': { steer: 'ctrl+s' } }],
    [
      { providers: { 'lab-2': { type: 'ollama', host: 'box' } } },
      { providers: { 'lab-2': { type: 'ollama', host: 'box' } } },
    ],
    [{ extensions: [{ path: 'x' }] }, { extensions: [{ path: 'x' }] }],
  ]
  for (const [tree, values] of rows) assert.deepEqual(checkConfig(tree), { values }, JSON.stringify(tree))
})

test('a wrong value is named with its path, what is expected and what came', () => {
  const aDuration = 'expected a duration such as 30s (a whole number and ms, s, m or h; at most 596h); came'
  const aKeepAlive =
    'expected a duration such as 30m (a whole number and ms, s, m or h; 0s: not at all), or -1 for ever; came'
  const rows: [unknown, string][] = [
    ['text', 'expected a mapping (key: value); came "text"'],
    [[1], 'expected a mapping (key: value); came a list'],
    [{ ollama: 'x' }, 'ollama: expected a mapping (key: value); came "x"'],
    [
      { ollama: { host: 11434 } },
      'ollama.host: expected an address such as http://localhost:11434; came 11434',
    ],
    [{ ollama: { host: ' ' } }, 'ollama.host: expected an address such as http://localhost:11434; came " "'],
    [
      { ollama: { model: null } },
      'ollama.model: expected the name of a model such as qwen3:8b; came nothing',
    ],
    ...['https://example.com', '*.com', 'a b', '10.0.0.0/8', '*:443', 'example.com:99999', ''].map(
      (host): [object, string] => [
        { sandbox: { network: ['example.com', host] } },
        `sandbox.network[1]: expected a list of hosts such as example.com, *.example.com, example.com:8443 or [::1]:3000, or ["*"] for the whole network; came ${JSON.stringify(host)}`,
      ],
    ),
    [{ ollama: { model: '' } }, 'ollama.model: expected the name of a model such as qwen3:8b; came ""'],
    [{ ollama: { model: 'a b' } }, 'ollama.model: expected the name of a model such as qwen3:8b; came "a b"'],
    [{ ollama: { think: true } }, 'ollama.think: expected one of off, on, low, medium, high, max; came true'],
    [{ ollama: { prewarm: 'always' } }, 'ollama.prewarm: expected one of off, open, type; came "always"'],
    [
      { ollama: { tool_calling: ['react'] } },
      'ollama.tool_calling: expected one of auto, native, react, json; came a list',
    ],
    [{ tools: { bash_timeout: 30 } }, `tools.bash_timeout: ${aDuration} 30`],
    [{ tools: { bash_timeout: '30' } }, `tools.bash_timeout: ${aDuration} "30"`],
    [{ tools: { bash_timeout: '0s' } }, `tools.bash_timeout: ${aDuration} "0s"`],
    [{ tools: { bash_timeout: '597h' } }, `tools.bash_timeout: ${aDuration} "597h"`],
    [{ tools: { bash_timeout: '1.5s' } }, `tools.bash_timeout: ${aDuration} "1.5s"`],
    [{ tools: { bash_timeout: '-1' } }, `tools.bash_timeout: ${aDuration} "-1"`],
    [{ tools: { bash_timeout: '30 s' } }, `tools.bash_timeout: ${aDuration} "30 s"`],
    [{ ollama: { keep_alive: 300 } }, `ollama.keep_alive: ${aKeepAlive} 300`],
    [{ ollama: { keep_alive: '-5m' } }, `ollama.keep_alive: ${aKeepAlive} "-5m"`],
    [{ ollama: { keep_alive: '-1.0' } }, `ollama.keep_alive: ${aKeepAlive} "-1.0"`],
    [{ ollama: { keep_alive: true } }, `ollama.keep_alive: ${aKeepAlive} true`],
    [{ ollama: { keep_alive: '9999999999h' } }, `ollama.keep_alive: ${aKeepAlive} "9999999999h"`],
    [
      { context: { max_tokens: -1 } },
      'context.max_tokens: expected a whole number of tokens, or 0 for what model and server offer; came -1',
    ],
    [
      { context: { max_tokens: 1.5 } },
      'context.max_tokens: expected a whole number of tokens, or 0 for what model and server offer; came 1.5',
    ],
    [
      { context: { max_tokens: '32k' } },
      'context.max_tokens: expected a whole number of tokens, or 0 for what model and server offer; came "32k"',
    ],
    [
      { context: { compaction_threshold: 0.29 } },
      'context.compaction_threshold: expected a number from 0.3 to 0.9; came 0.29',
    ],
    [
      { context: { compaction_threshold: 0.91 } },
      'context.compaction_threshold: expected a number from 0.3 to 0.9; came 0.91',
    ],
    [
      { context: { compaction_threshold: Number.NaN } },
      'context.compaction_threshold: expected a number from 0.3 to 0.9; came NaN',
    ],
    [
      { context: { compaction_threshold: '60%' } },
      'context.compaction_threshold: expected a number from 0.3 to 0.9; came "60%"',
    ],
    [{ context: { keep_recent: 1 } }, 'context.keep_recent: expected a whole number from 2; came 1'],
    [{ context: { keep_recent: -1.5 } }, 'context.keep_recent: expected a whole number from 2; came -1.5'],
    [
      { tools: { bash_max_output: 0 } },
      'tools.bash_max_output: expected a whole number of bytes from 1; came 0',
    ],
    [
      { tools: { read_max_lines: Number.POSITIVE_INFINITY } },
      'tools.read_max_lines: expected a whole number from 1; came Infinity',
    ],
    [
      { tools: { grep_max_matches: 1e20 } },
      'tools.grep_max_matches: expected a whole number from 1; came 100000000000000000000',
    ],
    [{ tools: { todo: 1 } }, 'tools.todo: expected true or false; came 1'],
    [{ tui: { mouse: 'yes' } }, 'tui.mouse: expected true or false; came "yes"'],
    [
      { permission: { mode: 'YOLO' } },
      'permission.mode: expected one of plan, ask, auto-edit, yolo; came "YOLO"',
    ],
    [{ permission: { deny: 'Bash' } }, 'permission.deny: expected a list; came "Bash"'],
    [
      { permission: { env: ['A=b'] } },
      'permission.env[0]: expected the name of a variable, or a glob such as AWS_*; came "A=b"',
    ],
    [
      { tui: { theme: '../x' } },
      'tui.theme: expected one of dark, light, system, or the name of a file in the folder themes; came "../x"',
    ],
    [{ tui: { language: 'zh-CN' } }, 'tui.language: expected one of auto, en, zh; came "zh-CN"'],
    [{ tui: { keys: ['ctrl+s'] } }, 'tui.keys: expected a mapping (action: key); came a list'],
    [{ tui: { keys: { steer: 1 } } }, 'tui.keys.steer: expected a key such as ctrl+s; came 1'],
    [{ extensions: [{ path: 1 }] }, 'extensions[0].path: expected a mapping (path: FILE); came 1'],
    [{ extensions: 'x' }, 'extensions: expected a list; came "x"'],
    [{ hooks: [] }, 'hooks: expected a mapping (event: list); came an empty list'],
    [
      { sandbox: true },
      'sandbox: expected one of off, auto, required, or a mapping (mode, network, ask, memory, processes); came true',
    ],
    [
      { sandbox: { network: 'pypi.org' } },
      'sandbox.network: expected a list of hosts such as example.com, *.example.com, example.com:8443 or [::1]:3000, or ["*"] for the whole network; came "pypi.org"',
    ],
    [{ sandbox: { mode: true } }, 'sandbox.mode: expected one of off, auto, required; came true'],
    [
      { sandbox: { memory: 'lots' } },
      'sandbox.memory: expected a whole number of megabytes from 64; came "lots"',
    ],
    [
      { verify: { '**/*.ts': 'npx tsc' } },
      'verify.**/*.ts: expected a list of commands, or a mapping (run, timeout); came "npx tsc"',
    ],
  ]
  for (const [tree, problem] of rows) {
    assert.deepEqual(problems(tree), [problem], JSON.stringify(tree))
  }
})

test('an unknown key is named, with the near name that was probably meant', () => {
  const rows: [unknown, string][] = [
    [{ olama: {} }, 'olama: unknown key; did you mean ollama?'],
    [{ ollama: { modle: 'x' } }, 'ollama.modle: unknown key; did you mean model?'],
    [{ ollama: { toolCalling: 'x' } }, 'ollama.toolCalling: unknown key; did you mean tool_calling?'],
    [{ model: 'x' }, 'model: unknown key; did you mean ollama.model?'],
    [{ tools: { mouse: true } }, 'tools.mouse: unknown key; did you mean tui.mouse?'],
    [
      { tools: { zebra: 1 } },
      'tools.zebra: unknown key; known here: bash_timeout, bash_max_output, read_max_lines, grep_max_matches, todo, git, fetch, mcp_tokens, background',
    ],
    [{ sandbox: { nework: ['a'] } }, 'sandbox.nework: unknown key; did you mean network?'],
    [
      { sandbox: { zebra: 1 } },
      'sandbox.zebra: unknown key; known here: mode, network, ask, memory, processes',
    ],
    [
      { 'sandbox.network': ['pypi.org'] },
      'sandbox.network: unknown key; did you mean sandbox: { network: … }?',
    ],
    [
      { zebra: 1 },
      'zebra: unknown key; known here: ollama, providers, context, tools, agents, permission, sandbox, tui, max_turns, instructions, verify, extensions, hooks, mcp',
    ],
    [
      JSON.parse('{"__proto__": {"polluted": 1}}'),
      '__proto__: unknown key; known here: ollama, providers, context, tools, agents, permission, sandbox, tui, max_turns, instructions, verify, extensions, hooks, mcp',
    ],
    [
      { constructor: 1 },
      'constructor: unknown key; known here: ollama, providers, context, tools, agents, permission, sandbox, tui, max_turns, instructions, verify, extensions, hooks, mcp',
    ],
  ]
  for (const [tree, problem] of rows) assert.deepEqual(problems(tree), [problem], JSON.stringify(tree))
})

test('all problems are named at once, a long value cut', () => {
  const tree = {
    ollama: { timeout: 1, think: 'yes', modle: 'x' },
    context: { keep_recent: 0 },
    permission: { deny: ['Bash(', 7, 'Read'] },
    tui: { theme: 'x.'.repeat(250) },
    color: 'red',
  }
  const said = problems(tree)
  const paths = said.map(problem => problem.split(':')[0])
  assert.deepEqual(paths.sort(), [
    'color',
    'context.keep_recent',
    'ollama.modle',
    'ollama.think',
    'ollama.timeout',
    'permission.deny[0]',
    'permission.deny[1]',
    'tui.theme',
  ])
  assert.ok(said.every(problem => problem.length < 250))
})

test('a rule is a tool, or a tool and a pattern', () => {
  const good = [
    'Read',
    'read',
    'BASH',
    'Bash(git log *)',
    'bash(npm test:*)',
    'Read(**/*.ts)',
    'Edit(src/**)',
    'Bash(echo (x))',
    'Write(a)',
    'grep',
    'Ls(~/x)',
    'Bash(grep "é 中" *)',
    'web_fetch(https://*)',
    'Frobnicate',
    'mcp__git',
    'mcp__git__*',
    'mcp__files__raed',
    'Skill(review)',
    'Task(explore)',
    'WebFetch(example.org)',
  ]
  const bad = [
    '',
    ' ',
    'Bash()',
    'Bash( )',
    'Bash(ls',
    'Bash ls',
    'Bash (ls)',
    'Bash(ls) x',
    '(ls)',
    '*',
    'Bahs(rm *)',
    'Bsh',
    'Raed(x)',
    'edits(x)',
    'Bash(a\nb)',
    'Bash(a\0b)',
    'Bash(a\u009bb)',
    '7z(x)',
    'Bash(echo ))',
    'Bash(a) b)',
    'a*b(x)',
  ]
  for (const rule of good) assert.equal(ruleProblem(rule), undefined, rule)
  for (const rule of bad) assert.notEqual(ruleProblem(rule), undefined, JSON.stringify(rule))
  assert.match(
    problems({ permission: { deny: ['Bahs(rm *)'] } }).join(),
    /deny\[0\]: expected a rule such as .*\(there is no tool Bahs; did you mean Bash\?\); came "Bahs/,
  )
  assert.match(ruleProblem('Raed(x)') ?? '', /there is no tool Raed; did you mean Read\?/)
  assert.match(ruleProblem('Edits*') ?? 'nothing', /nothing/)
})

test('the name of a tool that a program brings is never taken for a slip', () => {
  const tree = { permission: { ask: ['finds(https://*)'] } }
  assert.ok('values' in checkConfig(tree, ['Finds']))
  assert.ok('problems' in checkConfig(tree))
})

test('a tree that contains itself is answered, not followed', () => {
  const loop: unknown[] = []
  loop.push(loop)
  assert.equal(problems({ permission: { deny: loop } }).length, 1)
})

test('a duration is written as it is read', () => {
  const rows: [string, number][] = [
    ['500ms', 500],
    ['1s', 1_000],
    ['90s', 90_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['0ms', 0],
  ]
  for (const [text, milliseconds] of rows) {
    assert.equal(parseDuration(text), milliseconds)
    assert.equal(formatDuration(milliseconds), text)
  }
  for (const text of ['', 's', '5', '5d', '5S', ' 5s', '5s ', '+5s', '1e3s', '1h30m', '0x5s', '٣s']) {
    assert.equal(parseDuration(text), undefined, text)
  }
})
