/** Which part of its prompts the server has to read while the person waits, and how much it reads in a long session. */
import { openHouse } from './house.ts'
import type { Row } from './measure.ts'
import { talkTurns } from './scripts.ts'
import { serve } from './served.ts'

const words = 'Why does the build fail when the directory has a space in its name? Look at the scripts first.'
/** What a template puts around the words, and the date and the branch at their end. */
const around = 32

export async function readRows(): Promise<Row[]> {
  return [await firstPrompt(), await longSession()]
}

async function firstPrompt(): Promise<Row> {
  const server = await serve({ script: 'words', count: 'cl100k' })
  const { session, close } = await openHouse(server.host, { prewarm: 'open' })
  try {
    await session.open()
    await server.chat(0)
    await session.prompt(words)
    const { read, prompt } = await server.chat(1)
    const typed = await server.tokens(words)
    return {
      figure: `read after Enter, first prompt of a session, ${typed} tokens typed`,
      against: 'the whole prompt, as every peer has it read',
      measured: `${read} tokens`,
      floor: `${prompt} tokens`,
      ratio: read / prompt,
      reach: `≤ ${typed} + ${around}`,
      reached: read <= typed + around,
    }
  } finally {
    await close()
    server.close()
  }
}

/**
 * New text is what the server was not sent before and did not write itself in this form. A call counts as new: the
 * server renders it in other words than the model wrote it in.
 */
async function longSession(): Promise<Row> {
  const server = await serve({ script: 'talk', count: 'cl100k' })
  const file = Array.from({ length: 60 }, (_, n) => `line ${n + 1} of the file, where ${n * 7} stands`)
  const { session, close } = await openHouse(server.host, {
    prewarm: 'open',
    files: { 'a.txt': file.join('\n') },
  })
  try {
    await session.open()
    await server.chat(0)
    for (let n = 1; n <= talkTurns; n++) {
      const { error } = await session.prompt(`Question ${n}: what stands in line ${n}?`)
      if (error) throw new Error(error.message)
    }
    const replies = session.messages.filter(message => message.role === 'assistant').slice(0, -1)
    const said = replies.filter(({ tool_calls }) => !tool_calls)
    const calls = replies.reduce((sum, { tool_calls = [] }) => sum + tool_calls.length, 0)
    const chats = await server.chats()
    const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)
    const read = sum(chats.map(chat => chat.read))
    const written = sum(await Promise.all(said.map(({ content }) => server.tokens(content))))
    const generated = sum(chats.filter(({ prewarm }) => !prewarm).map(chat => chat.generated))
    const prompt = chats.at(-1)?.prompt ?? Number.NaN
    const fresh = prompt - written
    const strict = prompt - (generated - (chats.at(-1)?.generated ?? 0))
    return {
      figure: `read over ${talkTurns} turns with ${calls} calls, prewarm included`,
      against: `new text, calls as rendered anew among it (without them: ${(read / strict).toFixed(2)}×)`,
      measured: `${read} tokens`,
      floor: `${fresh} tokens`,
      ratio: read / fresh,
      reach: '≤ 1.02×',
      reached: read <= fresh * 1.02,
    }
  } finally {
    await close()
    server.close()
  }
}
