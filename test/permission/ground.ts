/** A project on disk for the permission tests, and one way to ask about it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { decide } from '../../src/permission/decide.ts'
import { gather } from '../../src/permission/gather.ts'
import type { Decision, PermissionCall, PermissionFacts } from '../../src/permission/permission.ts'
import type { PermissionMode } from '../../src/protocol/events.ts'
import { readRules } from '../../src/rules/rule.ts'

export interface Asked {
  mode?: PermissionMode
  allow?: string[]
  ask?: string[]
  deny?: string[]
  /** Where the shell is, relative to the project. */
  at?: string
  /** Files that this session wrote, relative to the project. */
  own?: string[]
}

/** With the reason as a person reads it. */
export type Judged = Omit<Decision, 'why'> & { why: string }

const lineOf = ({ subjects: [subject] }: PermissionFacts): string | undefined =>
  subject?.type === 'command' ? subject.judged.line : undefined

export interface Project {
  root: string
  cwd: string
  home: string
  bashCall(command: string): PermissionCall
  fileCall(tool: string, file: string): PermissionCall
  facts(call: PermissionCall, asked?: Asked): Promise<PermissionFacts>
  judge(call: PermissionCall, asked?: Asked): Promise<Judged>
  bash(command: string, asked?: Asked): Promise<Judged>
  file(tool: string, file: string, asked?: Asked): Promise<Judged>
  remove(): void
}

/** `~/project` with a few files, a quiet repository, links that lead out; `files` come on top, by path in it. */
export function makeProject(files: Record<string, string> = {}): Project {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-permission-')))
  const home = path.join(root, 'home', 'u')
  const cwd = path.join(home, 'project')
  const usual = {
    f: 'x',
    'file.txt': 'x',
    'README.md': 'x',
    '.env': 'KEY=1',
    'sub/x.txt': 'x',
    '../secret.txt': 'x',
  }
  const git = {
    '.git/objects/x': '',
    '.git/refs/x': '',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/config': '[core]\n\tbare = false\n',
  }
  for (const [name, text] of Object.entries({ ...usual, ...git, ...files })) {
    const file = path.join(cwd, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  symlinkSync('../new', path.join(cwd, 'dangling.txt'))
  symlinkSync(root, path.join(cwd, 'out'))

  function facts(call: PermissionCall, asked: Asked = {}): Promise<PermissionFacts> {
    const { mode = 'ask', allow = [], ask = [], deny = [], at = '.', own = [] } = asked
    const written = new Set(own.map(name => path.join(cwd, name)))
    return gather(call, {
      mode,
      cwd,
      shellCwd: path.join(cwd, at),
      home,
      gopiHome: path.join(home, '.gopi'),
      rules: readRules({ allow, ask, deny }),
      isOwn: file => written.has(file),
    })
  }
  const judge = async (call: PermissionCall, asked: Asked = {}): Promise<Judged> => {
    const found = await facts(call, asked)
    const decision = decide(call, found)
    const runs = decision.decision === 'allow' ? lineOf(found) : undefined
    return { ...decision, why: decision.why.message, ...(runs !== undefined && { runs }) }
  }
  const bashCall = (command: string): PermissionCall => ({
    tool: 'bash',
    accesses: [{ run: command }],
  })
  const fileCall = (tool: string, file: string): PermissionCall => ({
    tool,
    accesses: [/^(edit|write)$/.test(tool) ? { write: file } : { read: file }],
  })

  return {
    root,
    cwd,
    home,
    bashCall,
    fileCall,
    facts,
    judge,
    bash: (command, asked = {}) => judge(bashCall(command), asked),
    file: (tool, file, asked = {}) => judge(fileCall(tool, file), asked),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
