import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Command, parseArgs } from '../../src/cli/args.ts'
import { UsageError } from '../../src/protocol/errors.ts'

/** Words apart by blanks; `~` stands for an empty word. */
const words = (line: string) => (line === '' ? [] : line.split(' ').map(word => (word === '~' ? '' : word)))

const run = (more: object = {}): Command => ({ kind: 'run', print: false, prompt: [], ...more })

function problems(line: string): string[] {
  try {
    assert.fail(`expected a UsageError, came ${JSON.stringify(parseArgs(words(line)))}`)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return [...error.problems]
  }
}

test('options and words of a conversation', () => {
  const rows: [string, Command][] = [
    ['', run()],
    ['fix the bug', run({ prompt: ['fix', 'the', 'bug'] })],
    ['~', run({ prompt: [''] })],
    ['-', run({ prompt: ['-'] })],
    ['-p', run({ print: true })],
    ['-p fix it', run({ print: true, prompt: ['fix', 'it'] })],
    ['fix it -p', run({ print: true, prompt: ['fix', 'it'] })],
    ['-m qwen3:8b', run({ model: 'qwen3:8b' })],
    ['-mqwen3:8b x', run({ model: 'qwen3:8b', prompt: ['x'] })],
    ['-m=qwen3:8b', run({ model: 'qwen3:8b' })],
    ['--model qwen3:8b', run({ model: 'qwen3:8b' })],
    ['--model=qwen3:8b', run({ model: 'qwen3:8b' })],
    ['--model=a=b', run({ model: 'a=b' })],
    ['--model=-odd', run({ model: '-odd' })],
    ['-m a -m b', run({ model: 'b' })],
    ['--host 10.0.0.1:1', run({ host: '10.0.0.1:1' })],
    ['--tool-calling react', run({ toolCalling: 'react' })],
    ['--think=max', run({ think: 'max' })],
    ['-c', run({ continue: true })],
    ['--continue', run({ continue: true })],
    ['-pc go on', run({ print: true, continue: true, prompt: ['go', 'on'] })],
    ['-cpm x y', run({ print: true, continue: true, model: 'x', prompt: ['y'] })],
    ['-pmx y', run({ print: true, model: 'x', prompt: ['y'] })],
    ['-r', run({ resume: true })],
    ['-r abc', run({ resume: 'abc' })],
    ['-r abc go on', run({ resume: 'abc', prompt: ['go', 'on'] })],
    ['-rabc go', run({ resume: 'abc', prompt: ['go'] })],
    ['-r --plain', run({ resume: true, plain: true })],
    ['-r -- go', run({ resume: true, prompt: ['go'] })],
    ['-pr abc go', run({ print: true, resume: 'abc', prompt: ['go'] })],
    ['--resume', run({ resume: true })],
    ['--resume abc', run({ resume: 'abc' })],
    ['--resume=abc go', run({ resume: 'abc', prompt: ['go'] })],
    ['--fork abc', run({ fork: 'abc' })],
    ['--no-session', run({ noSession: true })],
    ['--mode plan', run({ mode: 'plan' })],
    ['--mode auto-edit', run({ mode: 'auto-edit' })],
    ['--yolo', run({ mode: 'yolo' })],
    ['--yolo --mode yolo', run({ mode: 'yolo' })],
    ['--trust', run({ trust: true })],
    ['-p --output-format stream-json x', run({ print: true, outputFormat: 'stream-json', prompt: ['x'] })],
    ['--output-format json -p', run({ print: true, outputFormat: 'json' })],
    ['--max-turns 1', run({ maxTurns: 1 })],
    ['--max-turns=100', run({ maxTurns: 100 })],
    ['--plain', run({ plain: true })],
    ['--config x.yaml', run({ config: 'x.yaml' })],
    ['--demo', run({ demo: true })],
    ['--demo auto', run({ demo: true, prompt: ['auto'] })],
    ['--demo=auto', run({ demo: 'auto' })],
    ['--demo=auto --host x', run({ demo: 'auto', host: 'x' })],
    ['--debug', run({ debug: true })],
  ]
  for (const [line, command] of rows) assert.deepEqual(parseArgs(words(line)), command, line)
})

test('after -- there are only words', () => {
  const rows: [string, Command][] = [
    ['--', run()],
    ['-- models', run({ prompt: ['models'] })],
    ['-p -- -c --bogus -- x', run({ print: true, prompt: ['-c', '--bogus', '--', 'x'] })],
    ['fix -- --help', run({ prompt: ['fix', '--help'] })],
    ['-- --version', run({ prompt: ['--version'] })],
  ]
  for (const [line, command] of rows) assert.deepEqual(parseArgs(words(line)), command, line)
})

test('a first word that is a subcommand’s name is one', () => {
  const rows: [string, Command][] = [
    ['models', { kind: 'models' }],
    ['models --host x --trust', { kind: 'models', host: 'x', trust: true }],
    ['--host x models', { kind: 'models', host: 'x' }],
    ['sessions --all --json', { kind: 'sessions', all: true, json: true }],
    ['sessions delete abc --yes', { kind: 'sessions', verb: 'delete', id: 'abc', yes: true }],
    ['sessions prune --older-than 90d', { kind: 'sessions', verb: 'prune', olderThan: '90d' }],
    ['config get ollama.model', { kind: 'config', verb: 'get', key: 'ollama.model' }],
    ['config set ollama.model x', { kind: 'config', verb: 'set', key: 'ollama.model', value: 'x' }],
    ['-p a b -p c -- -d', run({ print: true, prompt: ['a', 'b'], more: [['c', '-d']] })],
    ['sessions', { kind: 'sessions' }],
    ['config', { kind: 'config' }],
    ['config --json -m x --yolo', { kind: 'config', json: true, model: 'x', mode: 'yolo' }],
    ['--config f config', { kind: 'config', config: 'f' }],
    ['demo', { kind: 'demo' }],
    [
      'demo --port 0 --prefill 300 --decode=20 --load 1500',
      { kind: 'demo', port: 0, prefill: 300, decode: 20, load: 1500 },
    ],
    ['fix models', run({ prompt: ['fix', 'models'] })],
    ['-p models', run({ print: true, prompt: ['models'] })],
    ['-p demo', run({ print: true, prompt: ['demo'] })],
    ['-r models', run({ resume: 'models' })],
    ['-m config', run({ model: 'config' })],
    ['hi', run({ prompt: ['hi'] })],
    ['fix', run({ prompt: ['fix'] })],
    ['doctro it', run({ prompt: ['doctro', 'it'] })],
    ['-p doctro', run({ print: true, prompt: ['doctro'] })],
    ['doctro -p', run({ print: true, prompt: ['doctro'] })],
    ['-- doctro', run({ prompt: ['doctro'] })],
    ['-m doctro', run({ model: 'doctro' })],
    ['constructor', run({ prompt: ['constructor'] })],
    ['init --host x -m y', { kind: 'init', host: 'x', model: 'y' }],
    ['doctor --json --speed', { kind: 'doctor', json: true, speed: true }],
    ['doctor --help', { kind: 'help', topic: 'doctor' }],
    [
      'permission check --allow x --allow z bash y',
      { kind: 'permission', allow: ['x', 'z'], tool: 'bash', argument: 'y' },
    ],
    ['completion bash', { kind: 'completion', shell: 'bash' }],
    ['-p init', run({ print: true, prompt: ['init'] })],
  ]
  for (const [line, command] of rows) assert.deepEqual(parseArgs(words(line)), command, line)
})

test('--help and --version come before everything that is wrong', () => {
  const rows: [string, Command][] = [
    ['--help', { kind: 'help' }],
    ['-h', { kind: 'help' }],
    ['-p fix --help', { kind: 'help' }],
    ['--bogus --help', { kind: 'help' }],
    ['-c -r --help', { kind: 'help' }],
    ['-m --help', { kind: 'help' }],
    ['--help --version', { kind: 'help' }],
    ['models --help', { kind: 'help', topic: 'models' }],
    ['--help demo', { kind: 'help', topic: 'demo' }],
    ['config --json -h', { kind: 'help', topic: 'config' }],
    ['--version', { kind: 'version' }],
    ['-p --version --bogus', { kind: 'version' }],
  ]
  for (const [line, command] of rows) assert.deepEqual(parseArgs(words(line)), command, line)
})

test('each mistake is one sentence that says what would do', () => {
  const rows: [string, string][] = [
    ['--modle x', 'there is no option --modle; did you mean --model?'],
    ['--cont', 'there is no option --cont; did you mean --continue?'],
    ['--maxturns=3', 'there is no option --maxturns; did you mean --max-turns?'],
    ['--bogus', 'there is no option --bogus; --help lists what there is, and -- ends the options'],
    ['-x', 'there is no option -x; --help lists what there is, and -- ends the options'],
    ['-5', 'there is no option -5; --help lists what there is, and -- ends the options'],
    ['-v', 'there is no option -v; did you mean --version?'],
    ['-pd', 'there is no option -d; did you mean --deny or --demo or --debug?'],
    ['-model x', 'there is no option -model; did you mean --model?'],
    ['-mode=plan', 'there is no option -mode=plan; did you mean --mode=plan?'],
    ['--json', 'there is no option --json; --help lists what there is, and -- ends the options'],
    ['models --plain', 'there is no option --plain; --help lists what there is, and -- ends the options'],
    ['models --hots=x', 'there is no option --hots; did you mean --host?'],
    ['-m', '--model expects a value (NAME); nothing came'],
    ['--model', '--model expects a value (NAME); nothing came'],
    ['--model=', '--model expects a value (NAME); "" came'],
    ['--model -c', '--model expects a value (NAME); nothing came'],
    ['-m -- x', '--model expects a value (NAME); nothing came'],
    ['--host ~', '--host expects a value (URL); "" came'],
    ['--resume=', '--resume expects a value (ID); "" came'],
    ['-r ~', '--resume expects a value (ID); "" came'],
    [
      'permission',
      'gopi permission expects check TOOL ARGUMENT (quote a command that holds blanks); nothing came',
    ],
    ['completion', 'gopi completion expects bash, zsh or fish; nothing came'],
    ['--fork', '--fork expects a value (ID); nothing came'],
    ['--think', '--think expects off, on, low, medium, high or max; nothing came'],
    ['--think hihg', '--think expects off, on, low, medium, high or max; "hihg" came: did you mean high?'],
    ['--think Off', '--think expects off, on, low, medium, high or max; "Off" came: did you mean off?'],
    [
      '--mode autoedit',
      '--mode expects ask, auto-edit, plan or yolo; "autoedit" came: did you mean auto-edit?',
    ],
    ['--tool-calling x', '--tool-calling expects auto, native, react or json; "x" came'],
    ['-p --output-format xml', '--output-format expects text, json or stream-json; "xml" came'],
    ['--demo=on', '--demo expects nothing or =auto; "on" came'],
    ['--demo=', '--demo expects nothing or =auto; "" came'],
    ['--yolo=yes', '--yolo expects no value; "yes" came'],
    ['-c=x', '--continue expects no value; "x" came'],
    ['--max-turns 0', '--max-turns expects a whole number from 1; "0" came'],
    ['--max-turns -1', '--max-turns expects a whole number from 1; "-1" came'],
    ['--max-turns 1.5', '--max-turns expects a whole number from 1; "1.5" came'],
    ['--max-turns 1e3', '--max-turns expects a whole number from 1; "1e3" came'],
    ['--max-turns 0x10', '--max-turns expects a whole number from 1; "0x10" came'],
    ['--max-turns ten', '--max-turns expects a whole number from 1; "ten" came'],
    ['--max-turns ~', '--max-turns expects a whole number from 1; "" came'],
    [
      '--max-turns 99999999999999999999',
      '--max-turns expects a whole number from 1; "99999999999999999999" came',
    ],
    ['demo --port 65536', '--port expects a whole number from 0 to 65535; "65536" came'],
    ['demo --prefill 0', '--prefill expects a whole number from 1; "0" came'],
    ['demo --load', '--load expects a whole number from 0; nothing came'],
    ['doctro', 'Did you mean gopi doctor? If "doctro" is a prompt, put -- before it'],
    ['-c modls', 'Did you mean gopi models? If "modls" is a prompt, put -- before it'],
    ['Models', 'Did you mean gopi models? If "Models" is a prompt, put -- before it'],
    ['models x y', 'gopi models takes no words; came "x y"'],
    ['models -- --x', 'gopi models takes no words; came "--x"'],
    ['-c models', 'gopi models takes no --continue; put -- before models if it is a prompt'],
    ['--yolo demo', 'gopi demo takes no --yolo; put -- before demo if it is a prompt'],
    ['-c -r', '--continue and --resume contradict each other, for each says which session it is; give one'],
    [
      '-c --no-session',
      '--continue and --no-session contradict each other, for each says which session it is; give one',
    ],
    [
      '-r a --no-session',
      '--resume and --no-session contradict each other, for each says which session it is; give one',
    ],
    [
      '--fork a -c',
      '--continue and --fork contradict each other, for each says which session it is; give one',
    ],
    ['-p --plain', '-p and --plain contradict each other: print once, or converse; give one'],
    ['--output-format json x', '--output-format is for -p; give both or none'],
    ['-p -r', '-p cannot ask which session; give --resume an id'],
    ['--yolo --mode plan', '--yolo and --mode plan contradict each other; give one'],
    ['sessions prune', 'gopi sessions prune expects --older-than, such as 90d'],
    ['--input-format text', '--input-format is for -p; give both or none'],
    ['config get', 'gopi config get expects a KEY, such as gopi config get ollama.model'],
    [
      'config set ollama.model',
      'gopi config set expects a KEY and a VALUE, such as gopi config set ollama.model qwen3:8b',
    ],
    ['config show', 'gopi config expects nothing, get KEY, or set KEY VALUE; "show" came'],
    ['config --mode ask --yolo', '--yolo and --mode ask contradict each other; give one'],
    [
      '--demo --host x',
      '--demo and --host contradict each other, for the demo is a server itself; give one (or --demo=auto)',
    ],
  ]
  for (const [line, problem] of rows) assert.deepEqual(problems(line), [problem], line)
})

test('all mistakes are named at once', () => {
  const found = problems('--modle x --think no --max-turns 0 -c -r --output-format json')
  assert.equal(found.length, 5, found.join('\n'))
})

test('a word with control characters is shown escaped', () => {
  assert.deepEqual(problems('--think \u001b[31m'), [
    '--think expects off, on, low, medium, high or max; "\\u001b[31m" came',
  ])
})

test('the words handed in stay as they are', () => {
  const argv = ['-m', 'x', 'y']
  parseArgs(argv)
  assert.deepEqual(argv, ['-m', 'x', 'y'])
})
