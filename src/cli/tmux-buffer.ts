/** Copying where gopi runs in tmux: by default tmux drops what a program says to the clipboard, so it is given the text itself. */
import { spawn } from 'node:child_process'
import { programOutside } from '../paths/program.ts'
import { isTmux } from '../tui/window/modes.ts'

/** Into tmux's buffer, which passes it on to its terminal. Outside tmux it does nothing. Never throws. */
export function copyInTmux(text: string, { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string }): void {
  const tmux = isTmux(env) ? programOutside(cwd, 'tmux', { path: env.PATH }) : undefined
  if (tmux === undefined) return
  const child = spawn(tmux, ['load-buffer', '-w', '-'], { env, stdio: ['pipe', 'ignore', 'ignore'] })
  for (const stream of [child, child.stdin]) stream.on('error', () => {})
  child.stdin.end(text)
}
