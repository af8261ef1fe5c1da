import type { Said } from '../../protocol/sayings.ts'
import type { Catalogue, Texts } from './sayings.ts'

/** `place`: file and line. */
type Refused = { place: string; why: Said | string }
type Clash = Texts<'name' | 'from' | 'other'>

export const EN_KIT = {
  'clash.tool': ({ name, from, other }: Clash) =>
    `The tool ${name} of ${from} is used in place of the one of ${other}.`,
  'clash.command': ({ name, from, other }: Clash) =>
    `/${name} of ${from} is used in place of the one of ${other}.`,
  'clash.skill': ({ name, from, other }: Clash) =>
    `The skill ${name} of ${from} is used in place of the one of ${other}.`,
  'clash.agent': ({ name, from, other }: Clash) =>
    `The agent ${name} of ${from} is used in place of the one of ${other}.`,
  'kit_file.gone': ({ file }: Texts<'file'>) => `${file} is gone; it is left out.`,
  'kit_file.open': ({ file }: Texts<'file'>) =>
    `${file}:1: the line --- that ends its head is missing; it is left out.`,
  'kit_file.yaml': ({ file, line, problem }: Texts<'file' | 'problem'> & { line: number }) =>
    `${file}:${line}: its head is no YAML: ${problem}. It is left out.`,
  'kit_file.field': ({
    file,
    line,
    field,
    expected,
  }: Texts<'file' | 'field' | 'expected'> & { line: number }) =>
    `${file}:${line}: ${field} is not what it should be (${expected}); it is left out.`,
  'kit_file.empty': ({ file }: Texts<'file'>) => `${file}:1: it says nothing; it is left out.`,
  'kit_file.name': ({ file }: Texts<'file'>) =>
    `${file}: its name cannot be typed behind a / (letters, digits, dots, - and _); it is left out.`,
  'kit_file.link': ({ file, to }: Texts<'file' | 'to'>) =>
    `${file} is a link that leads out of its folder (to ${to}); what it is part of is left out.`,
  hook_entry: ({ place, what, expected }: Texts<'place' | 'what' | 'expected'>) =>
    `${place}: the hook ${what} is not what it should be (${expected}); it is left out.`,
  'hook.failed': ({ hook, problem }: Texts<'hook' | 'problem'>) => `The hook ${hook} failed: ${problem}`,
  'hook.says': ({ hook, message }: Texts<'hook' | 'message'>) => `The hook ${hook} says: ${message}`,
  'hook.prompt': ({ reason }: Texts<'reason'>) => `A hook kept this from being sent: ${reason}`,
  extension: ({ file, problem }: Texts<'file' | 'problem'>) =>
    `The extension ${file} is left out: ${problem}`,
  'extension_says.note': ({ extension, text }: Texts<'extension' | 'text'>) => `${extension}: ${text}`,
  'extension_says.failed': ({ extension, problem }: Texts<'extension' | 'problem'>) =>
    `The extension ${extension} failed: ${problem}`,
  'skills.by_name': ({ count, tokens }: { count: number; tokens: number }) =>
    `${count} ${count === 1 ? 'skill is' : 'skills are'} told to the model by name only: the descriptions together exceed ${tokens} tokens.`,

  // What is wrong with a server's entry, as `why` of the two sentences below.
  'mcp_entry.name': ({ name }: Texts<'name'>) =>
    `${name} is no name for a server (at most 40 letters, digits, - and single _)`,
  'mcp_entry.mapping': () => 'expected a mapping (command and args, or url)',
  'mcp_entry.key': ({ key, known }: Texts<'key' | 'known'>) => `unknown key ${key}; known here: ${known}`,
  'mcp_entry.flag': ({ key }: Texts<'key'>) => `${key}: expected true or false`,
  'mcp_entry.text': ({ key }: Texts<'key'>) => `${key}: expected a text`,
  'mcp_entry.texts': ({ key }: Texts<'key'>) => `${key}: expected a list of texts`,
  'mcp_entry.values': ({ key }: Texts<'key'>) => `${key}: expected a mapping (name: text)`,
  'mcp_entry.way': () => 'expected either a command or a url',
  'mcp_entry.type': ({ type }: Texts<'type'>) => `type ${type} is not supported; stdio and http are`,
  'mcp_entry.timeout': () => 'timeout: expected a duration such as 30s',
  'mcp_entry.unset': ({ variable }: Texts<'variable'>) =>
    `the variable ${variable} is not set, and there is no default (\${${variable}:-default})`,
  'mcp_entry.url': ({ url }: Texts<'url'>) => `${url} is no address of the web (http://… or https://…)`,
  'mcp_entry.same': ({ other }: Texts<'other'>) => `${other} has the same name`,
  'mcp_entry.json': ({ problem }: Texts<'problem'>) => `this is no JSON: ${problem}`,
  'mcp_entry.servers': () => 'expected an object mcpServers',

  'mcp.file': ({ place, why }: Refused, say) => `${place}: no MCP server of it is used: ${say(why)}.`,
  'mcp.refused': ({ place, server, why }: Refused & { server: string }, say) =>
    `${place}: the MCP server ${server} is left out: ${say(why)}.`,
  'mcp.nearer': ({ place, server, other }: Texts<'place' | 'server' | 'other'>) =>
    `The MCP server ${server} of ${place} is used in place of the one of ${other}.`,
  'mcp.first': ({ server, tools }: { server: string; tools: number }) =>
    `The MCP server ${server} offers ${tools === 1 ? '1 tool' : `${tools} tools`}: reached by mcp_search now, part of the prompt from the next session on.`,
  'mcp.changed': ({
    server,
    added,
    gone,
  }: {
    server: string
    added: readonly string[]
    gone: readonly string[]
  }) =>
    `The MCP server ${server} offers something else now${listed('new', added)}${listed('gone', gone)}: it holds from the next session on.`,
  'mcp.left': ({ server, tools }: { server: string; tools: readonly string[] }) =>
    `Of the MCP server ${server} some tools are left out: ${tools.join(', ')}.`,
  'mcp.dead': ({ server, why }: Texts<'server' | 'why'>) =>
    `The MCP server ${server} cannot be used: ${why.replace(/\.$/, '')}.`,
} satisfies Catalogue

const listed = (what: string, names: readonly string[]) =>
  names.length === 0 ? '' : ` (${what}: ${names.join(', ')})`
