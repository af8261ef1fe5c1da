/** `gopi init`: a server and a model, found or brought about, and written down. */
import { openServer } from '../assembly/provider.ts'
import type { LoadedConfig } from '../config/load.ts'
import { findModel } from '../session/find-model.ts'
import type { InitCommand } from './args.ts'
import { configFor } from './config-for.ts'
import { partFrom, setUp, setupWords } from './setup.ts'

export async function initCommand(command: InitCommand): Promise<number> {
  const loaded = await configFor(command)
  if (!process.stdin.isTTY || !process.stdout.isTTY) return onlySay(loaded)
  const { outcome, server, desk } = await setUp(loaded)
  if (outcome.type === 'ready') {
    const { host } = loaded.config.ollama
    const values: [string, string][] = [
      ...(command.host === undefined ? [] : [['host', host] as [string, string]]),
      ...(outcome.model === loaded.config.ollama.model && !command.model
        ? []
        : [['model', outcome.model] as [string, string]]),
    ]
    const file = loaded.files.find(({ from }) => from === 'user')?.file
    if (file !== undefined && values.length > 0) {
      const { setValues } = await import('../config/set-values.ts')
      const problem = setValues(
        file,
        values.map(([key, value]) => [['ollama', key], value]),
      )
      desk.say(problem?.message ?? (await setupWords(loaded)).written(file))
    }
  }
  if (server) await partFrom(server, loaded)
  if (outcome.type !== 'demo') return outcome.type === 'ready' ? 0 : 3
  const [{ parseArgs }, { runCommand }] = await Promise.all([import('./args.ts'), import('./run.ts')])
  const demo = parseArgs(['--demo'])
  return demo.kind === 'run' ? runCommand(demo, { keepCode() {}, skeleton: undefined }) : 0
}

/** Nobody can be asked: what is there, or one sentence. Rejects with `RunError`. */
async function onlySay(loaded: LoadedConfig): Promise<number> {
  const { backend, config } = await openServer(loaded.config)
  await (backend.version?.() ?? backend.models())
  const { model } = await findModel({
    ...{ backend, model: config.ollama.model, modelNamed: loaded.explicit.has('ollama.model') },
    ...{ before: undefined, max_tokens: config.context.max_tokens, patient: true },
  })
  process.stdout.write(`${(await setupWords(loaded)).ready(model, backend.host)}\n`)
  return 0
}
