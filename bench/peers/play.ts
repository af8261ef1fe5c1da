/** One run of an assistant: one prompt, so many tool calls, an answer. */
import { spawn } from 'node:child_process'
import { clock } from '../measure.ts'
import { openScreen } from '../screen/terminal.ts'
import type { Program } from './programs.ts'
import type { Stage } from './stage.ts'

export interface Play {
  /** Milliseconds. */
  toFirstRequest: number
  /** Milliseconds from the end of each reply with a call to the next request. */
  gaps: number[]
  /** What the first request gives the model to read: the texts of its messages, and its tools as JSON. */
  prompt: string
}

/** Milliseconds after which a run is believed to hang. */
const patience = 60_000

export async function play(program: Program, stage: Stage, calls: number): Promise<Play> {
  program.configure(stage.host)
  stage.begin(calls)
  const [command, ...args] = program.command
  const begun = clock()
  const child = spawn(command, args, { cwd: program.home, env: program.env(stage.host), stdio: 'ignore' })
  const timer = setTimeout(() => child.kill('SIGKILL'), patience)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('exit', resolve)
    child.on('error', reject)
  }).finally(() => clearTimeout(timer))
  if (stage.failure) throw stage.failure
  const [first, ...others] = stage.scenes
  if (code !== 0 || !first || others.length !== calls) {
    const expected = `${calls + 1} requests and exit code 0 were expected`
    throw new Error(`${program.name}: ${expected}, not ${stage.scenes.length} and ${code}`)
  }
  return {
    toFirstRequest: first.at - begun,
    gaps: others.map(({ at }, n) => at - (stage.scenes[n]?.endAt ?? Number.NaN)),
    prompt: first.prompt,
  }
}

/** Milliseconds from spawning it on a terminal to its first whole frame. */
export async function openedIn({ name, screen, ...program }: Program, stage: Stage): Promise<number> {
  if (!screen) throw new Error(`nobody knows how ${name} is opened on a terminal`)
  program.configure(stage.host)
  stage.begin(0)
  const env = { ...program.env(stage.host), TERM: 'xterm-256color', LANG: 'en_US.UTF-8' }
  const begun = performance.now()
  const terminal = openScreen({ args: screen.args, cwd: program.home, env })
  const timer = setTimeout(() => terminal.kill(), patience)
  const shown = await terminal.shows(screen.shows)
  clearTimeout(timer)
  terminal.kill()
  await terminal.ended
  return shown - begun
}
