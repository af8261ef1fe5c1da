/**
 * The same scripted task by gopi and by other assistants, each with its own prompts, at the demo server and, where OLLAMA_HOST
 * names one, at a real Ollama: what the server reads anew for them, what it writes, how often it is asked, and how long all of it takes. What cannot be installed or
 * run is left out, and why.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { WireTool } from '../src/protocol/wire.ts'
import { clock, median, type Row } from './measure.ts'
import { codex, gopiItself, model, type Program, pi } from './peers/programs.ts'
import { leftOut } from './peers.ts'
import { answer, project, prompt, replies } from './task/script.ts'
import { demoStage, realStage, type Stage, type Toll } from './task/stages.ts'

/** Of each. */
const runs = 3
/** Milliseconds after which a run is believed to hang. */
const patience = 1_200_000
interface Effort extends Toll {
  seconds: number
}

/** On one of the servers. */
interface Outcome {
  effort: Effort
  tools: WireTool[]
}

export async function taskRows(): Promise<Row[]> {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-task-')))
  try {
    const ours = await everywhere(gopiItself(directory, prompt))
    const rows: Row[] = []
    for (const peer of [pi, codex]) {
      try {
        const program = peer(directory, prompt)
        const theirs = await everywhere(program)
        for (const [where, effort] of Object.entries(theirs))
          rows.push(...beside(`${program.name}, ${where}`, ours[where]!, effort))
      } catch (error) {
        rows.push(leftOut(peer.name, error))
      }
    }
    return rows
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** By server: the demo server always, a real one where OLLAMA_HOST names it. */
async function everywhere(program: Program): Promise<Record<string, Effort>> {
  const { effort, tools } = await play(program, () => demoStage(program), runs)
  const { OLLAMA_HOST } = process.env
  if (!OLLAMA_HOST) return { 'demo server': effort }
  const real = await play(program, () => realStage(tools, model), 1)
  return { 'demo server': effort, Ollama: real.effort }
}

async function play(program: Program, open: () => Promise<Stage>, times: number): Promise<Outcome> {
  const found: Outcome[] = []
  for (let n = 0; n < times; n++) {
    const stage = await open()
    try {
      found.push(await oneRun(program, stage))
    } finally {
      await stage.close()
    }
  }
  const middle = (key: keyof Effort) => median(found.map(({ effort }) => effort[key]))
  const effort: Effort = {
    read: middle('read'),
    written: middle('written'),
    requests: middle('requests'),
    seconds: middle('seconds'),
  }
  const shown = Object.entries(effort).map(([key, value]) => `${key} ${value.toFixed(0)}`)
  process.stderr.write(`  ${program.name}: ${shown.join(', ')}\n`)
  return { effort, tools: found[0]?.tools ?? [] }
}

async function oneRun(program: Program, stage: Stage): Promise<Outcome> {
  const { home, name } = program
  const { host } = stage
  const cwd = path.join(home, 'project')
  rmSync(cwd, { recursive: true, force: true })
  mkdirSync(cwd, { recursive: true })
  for (const [file, text] of Object.entries(project)) writeFileSync(path.join(cwd, file), text)
  program.configure(host)
  const begun = clock()
  const said = await output(program, { host, cwd })
  const seconds = (clock() - begun) / 1000
  const toll = await stage.toll()
  const isMended = readFileSync(path.join(cwd, 'report.mjs'), 'utf8').includes('.sort()')
  if (!isMended || !said.includes(answer) || toll.requests < replies)
    throw new Error(`${name} did not do the task in ${toll.requests} requests: ${said.slice(-500)}`)
  return { effort: { ...toll, seconds }, tools: await stage.tools() }
}

async function output(program: Program, { host, cwd }: { host: string; cwd: string }): Promise<string> {
  const [command, ...args] = program.command
  const child = spawn(command, args, { cwd, env: program.env(host), stdio: ['ignore', 'pipe', 'pipe'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), patience)
  let said = ''
  let failed = ''
  child.stdout.on('data', piece => (said += piece))
  child.stderr.on('data', piece => (failed += piece))
  await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
  clearTimeout(timer)
  return said || failed
}

function beside(name: string, ours: Effort, theirs: Effort): Row[] {
  const row = (figure: string, key: keyof Effort, unit: string, isPromised: boolean): Row => {
    const ratio = ours[key] / theirs[key]
    const shown = (value: number) => `${Number.isInteger(value) ? value : value.toFixed(1)} ${unit}`
    return {
      figure: `the task (4 reads, a search, 3 edits, 2 test runs): ${figure}`,
      against: name,
      measured: shown(ours[key]),
      floor: shown(theirs[key]),
      ratio,
      reach: isPromised ? '< 1×' : '–',
      reached: !isPromised || ratio < 1,
    }
  }
  return [
    row('read anew', 'read', 'tokens', true),
    row('written', 'written', 'tokens', false),
    row('requests', 'requests', '', false),
    row('to the end', 'seconds', 's', true),
  ]
}
