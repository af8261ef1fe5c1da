/**
 * What a real Ollama reads for gopi, at the server that OLLAMA_HOST names, with a model that says what a script says and
 * is made big enough that reading costs something. Tokens are counted in what the server renders, milliseconds are its
 * own. Without OLLAMA_HOST nothing is measured, and that is said.
 */
import { resolveHost } from '../src/backends/ollama/host.ts'
import { modelNamed, modelsOn } from '../test/ollama/scripted-models.ts'
import type { Row } from './measure.ts'
import { afterCompaction, afterSteer, besideClock } from './real/conversation.ts'
import { firstTokens } from './real/first-token.ts'
import { openWitness } from './real/witness.ts'

export async function realRows(): Promise<Row[]> {
  if (!process.env.OLLAMA_HOST) return [unmeasured('OLLAMA_HOST names no Ollama')]
  const upstream = resolveHost(process.env.OLLAMA_HOST)
  const models = modelsOn(upstream, { big: true })
  await models.make()
  const witness = await openWitness(upstream)
  const server = { upstream, witness, model: modelNamed('big') }
  try {
    const rows: Row[] = []
    for (const measure of [firstTokens, afterSteer, afterCompaction, besideClock]) {
      const found = await measure(server)
      for (const { figure, measured, floor } of found)
        process.stderr.write(`  ${figure}: ${measured} (${floor})\n`)
      rows.push(...found)
    }
    return rows
  } finally {
    witness.close()
    await models.remove()
  }
}

function unmeasured(why: string): Row {
  return {
    figure: 'on a real Ollama: not measured',
    against: why,
    measured: '–',
    floor: '–',
    reach: '–',
    reached: true,
  }
}
