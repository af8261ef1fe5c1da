import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Starts the process that counts tokens: a file beside the bundle, from source the TypeScript file itself. It is out of
 * the terminal's reach (Ctrl+C is for the conversation) and ends when this process does.
 * @param patience Milliseconds without work after which it ends; by default its own.
 */
export function startTokenProcess(patience?: number): ChildProcess {
  const { file, execArgv } = program()
  return fork(file, patience === undefined ? [] : [String(patience)], {
    // It must not keep the conversation's directory in use.
    cwd: import.meta.dirname,
    execArgv,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  })
}

function program(): { file: string; execArgv: string[] } {
  const { dirname, filename } = import.meta
  if (path.extname(filename) === '.cjs') return { file: path.join(dirname, 'tokens.cjs'), execArgv: [] }
  const tsx = pathToFileURL(createRequire(filename).resolve('tsx'))
  return { file: path.join(dirname, '../context/token-process.ts'), execArgv: [`--import=${tsx}`] }
}
