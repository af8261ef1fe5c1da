/**
 * The form of a reply in the json dialect, as the schema that the server enforces and as the words that both sides use.
 * The native path of the server sorts keys by the alphabet, so their letters keep them in the order in which a model
 * has to decide: what kind of reply, the words, the calls.
 */
import type { WireTool } from '../../protocol/wire.ts'

export const KIND = 'a_kind'
export const TEXT = 'b_text'
export const CALLS = 'c_calls'
export const CALL_NAME = 'a_name'
export const CALL_ARGUMENTS = 'b_arguments'

/** One object per reply. Each call's arguments follow the schema of the tool that it names. */
export function replySchema(tools: readonly WireTool[]): object {
  const calls = {
    type: 'array',
    items: { anyOf: tools.map(callSchema) },
  }
  return {
    type: 'object',
    properties: {
      [KIND]: { type: 'string', enum: tools.length > 0 ? ['call', 'chat'] : ['chat'] },
      [TEXT]: { type: 'string' },
      ...(tools.length > 0 && { [CALLS]: calls }),
    },
    required: [KIND, TEXT, ...(tools.length > 0 ? [CALLS] : [])],
  }
}

function callSchema({ function: { name, parameters } }: WireTool): object {
  return {
    type: 'object',
    properties: {
      [CALL_NAME]: { type: 'string', enum: [name] },
      [CALL_ARGUMENTS]: parameters,
    },
    required: [CALL_NAME, CALL_ARGUMENTS],
  }
}

/** A reply in this form. */
export function writeReply(
  text: string,
  calls: readonly { name: string; arguments: Record<string, unknown> }[],
): string {
  return JSON.stringify({
    [KIND]: calls.length > 0 ? 'call' : 'chat',
    [TEXT]: text,
    [CALLS]: calls.map(call => ({ [CALL_NAME]: call.name, [CALL_ARGUMENTS]: call.arguments })),
  })
}
