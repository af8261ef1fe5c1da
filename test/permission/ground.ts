/** A project on disk for the permission tests, and one way to ask about it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { decide } from '../../src/permission/decide.ts'
import { gather, readRules } from '../../src/permission/gather.ts'
import type { Decision, PermissionCall, PermissionFacts } from '../../src/permission/permission.ts'
import type { PermissionMode, ToolKind } from '../../src/protocol/events.ts'

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

export interface Project {
  root: string
  cwd: string
  home: string
  bashCall(command: string): PermissionCall
  fileCall(tool: string, file: string): PermissionCall
  facts(call: PermissionCall, asked?: Asked): Promise<PermissionFacts>
  bash(command: string, asked?: Asked): Promise<Decision>
  file(tool: string, file: string, asked?: Asked): Promise<Decision>
  remove(): void
}

const KINDS: Record<string, ToolKind> = { edit: 'edit', write: 'edit' }

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
  const git = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': '[core]\n\tbare = false\n' }
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
  const judge = async (call: PermissionCall, asked: Asked) => decide(call, await facts(call, asked))
  const bashCall = (command: string): PermissionCall => ({
    tool: 'bash',
    kind: 'command',
    arguments: { command },
  })
  const fileCall = (tool: string, file: string): PermissionCall => ({
    tool,
    kind: KINDS[tool] ?? 'read',
    arguments: { path: file },
  })

  return {
    root,
    cwd,
    home,
    bashCall,
    fileCall,
    facts,
    bash: (command, asked = {}) => judge(bashCall(command), asked),
    file: (tool, file, asked = {}) => judge(fileCall(tool, file), asked),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
