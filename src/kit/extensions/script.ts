/**
 * An extension that is a program, in any language. Asked once with `--describe` what it offers; then started for each call,
 * with JSON on its standard input. Each line that it writes is JSON: progress, and at last the result.
 */
import { isRecord, parseRecord } from '../../text/record.ts'
import { customTool } from '../../tools/custom.ts'
import type { Command } from '../commands/command.ts'
import { promptCommand } from '../commands/prompt-command.ts'
import { type Ended, runProgram } from '../program.ts'
import type { Source } from '../source.ts'

/** Milliseconds to say what it offers. */
const DESCRIBE = 5_000
/** Milliseconds for a call. */
const CALL = 600_000

interface Place {
  name: string
  cwd: string
  env: NodeJS.ProcessEnv
}

/** Rejects with why it cannot be used. */
export async function scriptSource(file: string, { name, cwd, env }: Place): Promise<Source> {
  const described = await runProgram({ argv: [file, '--describe'], cwd, env, input: '', timeout: DESCRIBE })
  const offer = described.code === 0 ? parseRecord(described.stdout) : undefined
  if (!offer) throw new Error(`--describe: ${whyOf(described)}`)
  const { tools = [], commands = [] } = offer
  if (!Array.isArray(tools) || !Array.isArray(commands))
    throw new Error('--describe: expected {"tools": […], "commands": […]}')

  const ask = async (
    asked: object,
    { signal, onOutput }: { signal?: AbortSignal; onOutput?(text: string): void } = {},
  ) => {
    let last = ''
    const ended = await runProgram({
      argv: [file],
      ...{ cwd, env, timeout: CALL, signal },
      input: JSON.stringify({ ...asked, cwd }),
      onLine(line) {
        if (line.trim() === '') return
        const progress = parseRecord(line)?.progress
        if (typeof progress === 'string') onOutput?.(`${progress}\n`)
        else last = line
      },
    })
    signal?.throwIfAborted()
    const result = parseRecord(last)
    if (ended.how !== 'exit' || ended.code !== 0) throw new Error(textIn(result) ?? whyOf(ended))
    const text = textIn(result)
    if (text === undefined) throw new Error('expected a last line {"output": TEXT}')
    if (result?.is_error === true) throw new Error(text)
    return text
  }

  const own = commands.map((one): Command => {
    const { name, description, argument } = named(one)
    const shown = typeof argument === 'string' ? argument : undefined
    const command = promptCommand({ name, description, argument: shown, text: '' })
    return { ...command, expand: async typed => ({ text: await ask({ command: name, argument: typed }) }) }
  })
  return {
    from: name,
    tools: tools.map(one => {
      const { name, description, parameters, readOnly } = named(one)
      return customTool({
        ...{ name, description, readOnly: readOnly === true },
        parameters: isRecord(parameters) ? parameters : { type: 'object', properties: {} },
        execute: (args, context) => ask({ tool: name, arguments: args }, context),
      })
    }),
    commands: async () => own,
  }
}

function named(one: unknown): Record<string, unknown> & { name: string; description: string } {
  const fields = isRecord(one) ? one : {}
  const { name, description = '' } = fields
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name) || typeof description !== 'string')
    throw new Error('--describe: expected a name (letters, digits, - and _) and a description of each')
  return { ...fields, name, description }
}

const textIn = (result: Record<string, unknown> | undefined): string | undefined =>
  typeof result?.output === 'string' ? result.output : undefined

function whyOf({ how, code, stderr }: Ended): string {
  const said = stderr.trim().slice(-LONGEST)
  if (how !== 'exit') return said === '' ? how : `${how}: ${said}`
  return code === 0 ? 'no JSON came' : `exit ${code}${said === '' ? '' : `: ${said}`}`
}

/** Characters of what it wrote to stderr that are told. */
const LONGEST = 300
