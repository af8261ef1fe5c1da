/**
 * What a request is made of, as numbers that its token count is a weighted sum of: text by kind of writing, because
 * another encoding than ours does not differ by one factor in all of them, and what the template adds, by message.
 */
import type { ChatRequest } from '../model/model.ts'
import type { WireMessage } from '../protocol/wire.ts'
import type { Belief } from './regression.ts'

/** What the server is sent that takes room in the context. */
export type Sent = Pick<ChatRequest, 'messages' | 'tools'>

/**
 * The weights and what they are taken to be of a model that was never met. `text` and `foreign` are cl100k's tokens of
 * Latin and of all other writing; `evenness` what there would be more of Latin if every four characters were a token, for
 * encodings that are little like ours; `digits` what there is more where every digit is a token. `generated` is what the
 * server counted when it generated a text beyond what we would count; a server may count the same text otherwise when it
 * reads it. `thinking` are its tokens by the weights before it: some templates drop it. The rest is counted in pieces: messages by role, calls, images, thoughts, the frame of the
 * whole, and the words around the tools.
 */
export const beliefs = {
  text: { mean: 1, deviation: 0.05, firmest: 0.01, least: 0.1, most: 4 },
  evenness: { mean: 0, deviation: 0.4, firmest: 0.02, least: -0.5, most: 1.5 },
  foreign: { mean: 0.7, deviation: 0.2, firmest: 0.02, least: 0.05, most: 4 },
  digits: { mean: 0, deviation: 0.4, firmest: 0.02, least: -0.3, most: 1.3 },
  generated: { mean: 0.7, deviation: 0.3, firmest: 0.03, least: 0, most: 1 },
  thinking: { mean: 1, deviation: 0.25, firmest: 0.03, least: 0, most: 1.3 },
  thought: { mean: 5, deviation: 4, firmest: 0.3, least: 0, most: 40 },
  user: { mean: 5, deviation: 3, firmest: 0.2, least: 0, most: 60 },
  assistant: { mean: 5, deviation: 3, firmest: 0.2, least: 0, most: 60 },
  tool: { mean: 10, deviation: 6, firmest: 0.3, least: 0, most: 90 },
  call: { mean: 8, deviation: 5, firmest: 0.3, least: -20, most: 60 },
  image: { mean: 700, deviation: 500, firmest: 5, least: 0, most: 8000 },
  frame: { mean: 8, deviation: 8, firmest: 0.5, least: 0, most: 300 },
  tools: { mean: 90, deviation: 60, firmest: 1, least: 0, most: 900 },
} satisfies Record<string, Belief>

export type PartName = keyof typeof beliefs
export const partNames = Object.keys(beliefs) as PartName[]
export type Parts = Partial<Record<PartName, number>>

/** How much text there is of each kind. `counted` is false while our own count of it is a guess. */
export interface TextParts {
  text: number
  evenness: number
  foreign: number
  digits: number
  counted: boolean
}

export type MeasureText = (text: string) => TextParts

/** The parts of one message, its texts apart. */
export function frameParts({ role, thinking, tool_calls, images }: WireMessage): Parts {
  return {
    ...(role !== 'system' && { [role]: 1 }),
    ...(thinking && { thought: 1 }),
    ...(tool_calls && { call: tool_calls.length }),
    ...(images && { image: images.length }),
  }
}

/** The texts of a message that the model is sent, its thinking apart. */
export function messageTexts({ content, tool_calls = [] }: WireMessage): string[] {
  return [content, ...tool_calls.map(call => JSON.stringify(call.function))].filter(text => text !== '')
}

/** The texts of the tools. */
export function toolTexts({ tools = [] }: Sent): string[] {
  return tools.map(tool => JSON.stringify(tool))
}

export function add(sum: Parts, parts: Parts, times = 1): void {
  for (const name of partNames) {
    const value = parts[name]
    if (value !== undefined) sum[name] = (sum[name] ?? 0) + times * value
  }
}

export const vector = (parts: Parts): number[] => partNames.map(name => parts[name] ?? 0)
