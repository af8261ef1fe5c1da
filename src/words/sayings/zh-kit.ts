import { partInChinese } from '../problem-zh.ts'
import type { EN_KIT } from './en-kit.ts'
import type { Sentences } from './sayings.ts'

export const ZH_KIT: Sentences<typeof EN_KIT> = {
  'clash.tool': ({ name, from, other }) => `使用 ${from} 的工具 ${name}，代替 ${other} 的同名项。`,
  'clash.command': ({ name, from, other }) => `使用 ${from} 的命令 /${name}，代替 ${other} 的同名项。`,
  'clash.skill': ({ name, from, other }) => `使用 ${from} 的技能 ${name}，代替 ${other} 的同名项。`,
  'clash.agent': ({ name, from, other }) => `使用 ${from} 的代理 ${name}，代替 ${other} 的同名项。`,
  'kit_file.gone': ({ file }) => `${file} 已不存在，因此略过。`,
  'kit_file.open': ({ file }) => `${file}:1：文件头缺少结尾的 --- 行，因此略过。`,
  'kit_file.yaml': ({ file, line, problem }) =>
    `${file}:${line}：文件头不是有效的 YAML：${partInChinese(problem)}。因此略过。`,
  'kit_file.field': ({ file, line, field, expected }) =>
    `${file}:${line}：${field} 的值不正确（应为：${partInChinese(expected)}），因此略过。`,
  'kit_file.empty': ({ file }) => `${file}:1：内容为空，因此略过。`,
  'kit_file.name': ({ file }) =>
    `${file}：文件名无法作为命令输入（只能用字母、数字、点、- 和 _），因此略过。`,
  'kit_file.link': ({ file, to }) => `${file} 是指向其文件夹之外（${to}）的链接，因此略过相应项目。`,
  hook_entry: ({ place, what, expected }) =>
    `${place}：钩子 ${what} 的写法不正确（应为：${partInChinese(expected)}），因此略过。`,
  'hook.failed': ({ hook, problem }) => `钩子 ${hook} 运行失败：${partInChinese(problem)}`,
  'hook.says': ({ hook, message }) => `钩子 ${hook} 提示：${message}`,
  'hook.prompt': ({ reason }) => `钩子阻止了发送：${reason}`,
  extension: ({ file, problem }) => `未使用扩展 ${file}：${partInChinese(problem)}`,
  'extension_says.note': ({ extension, text }) => `${extension}：${text}`,
  'extension_says.failed': ({ extension, problem }) =>
    `扩展 ${extension} 运行失败：${partInChinese(problem)}`,
  'skills.by_name': ({ count, tokens }) =>
    `有 ${count} 项技能只向模型告知名称：所有说明合计超过 ${tokens} 个 token。`,

  'mcp_entry.name': ({ name }) => `${name} 不能用作服务器名称（最多 40 个字母、数字、- 和单个 _）`,
  'mcp_entry.mapping': () => '应为映射（command 和 args，或 url）',
  'mcp_entry.key': ({ key, known }) => `未知的键 ${key}；可用的键：${known}`,
  'mcp_entry.flag': ({ key }) => `${key}：应为 true 或 false`,
  'mcp_entry.text': ({ key }) => `${key}：应为文本`,
  'mcp_entry.texts': ({ key }) => `${key}：应为文本列表`,
  'mcp_entry.values': ({ key }) => `${key}：应为映射（名称: 文本）`,
  'mcp_entry.way': () => '应有 command 或 url，且只能有其中一个',
  'mcp_entry.type': ({ type }) => `不支持类型 ${type}；支持 stdio 和 http`,
  'mcp_entry.timeout': () => 'timeout：应为时长，例如 30s',
  'mcp_entry.unset': ({ variable }) => `变量 ${variable} 未设置，也没有默认值（\${${variable}:-default}）`,
  'mcp_entry.url': ({ url }) => `${url} 不是网址（http://… 或 https://…）`,
  'mcp_entry.same': ({ other }) => `与 ${other} 同名`,
  'mcp_entry.json': ({ problem }) => `不是 JSON：${partInChinese(problem)}`,
  'mcp_entry.servers': () => '应有对象 mcpServers',

  'mcp.file': ({ place, why }, say) => `${place}：其中的 MCP 服务器均未使用：${say(why)}。`,
  'mcp.refused': ({ place, server, why }, say) => `${place}：未使用 MCP 服务器 ${server}：${say(why)}。`,
  'mcp.nearer': ({ place, server, other }) =>
    `使用 ${place} 的 MCP 服务器 ${server}，代替 ${other} 的同名项。`,
  'mcp.first': ({ server, tools }) =>
    `MCP 服务器 ${server} 提供 ${tools} 个工具：现在可通过 mcp_search 使用，从下次会话起列入提示词。`,
  'mcp.changed': ({ server, added, gone }) =>
    `MCP 服务器 ${server} 提供的内容有变化${listed('新增', added)}${listed('移除', gone)}：从下次会话起生效。`,
  'mcp.left': ({ server, tools }) => `MCP 服务器 ${server} 的部分工具未使用：${tools.join('、')}。`,
  'mcp.dead': ({ server, why }) =>
    `无法使用 MCP 服务器 ${server}：${partInChinese(why.replace(/\.$/, ''))}。`,
}

const listed = (what: string, names: readonly string[]) =>
  names.length === 0 ? '' : `（${what}：${names.join('、')}）`
