import type { EN_KIT_VIEW } from './en-kit.ts'
import { partInChinese } from './problem-zh.ts'

export const ZH_KIT_VIEW: typeof EN_KIT_VIEW = {
  does: '显示已加载的内容、来源和开销',
  mcp: '显示 MCP 服务器及其工具的开销',
  tools: '工具',
  commands: '命令',
  skills: '技能',
  agents: '代理',
  running: '服务器、钩子和扩展',
  hooks: '显示钩子及其用时',
  refused: '未使用',
  none: { skills: '这里没有技能。', extensions: '没有配置扩展。' },
  tokens: tokens => `${tokens} 个 token`,
  milliseconds: ms => `${ms} 毫秒`,
  states: {
    idle: '尚未启动',
    starting: '正在启动',
    ready: '就绪',
    waiting: '已退出，将重新启动',
    dead: '无法使用',
    closed: '已关闭',
  },
  server: ({ name, state, why, ms, tools, told, tokens, readOnly, prompts, resources, from }) =>
    [
      `${name}：${state}${why === undefined ? '' : `（${partInChinese(why)}）`}${ms === undefined ? '' : `，用时 ${ms} 毫秒`}`,
      `${tools} 个工具，${told} 个在提示词中（${tokens} 个 token）${told < tools ? '，其余通过 mcp_search 使用' : ''}`,
      ...(readOnly > 0 ? [`自称只读的有 ${readOnly} 个`] : []),
      ...(prompts > 0 ? [`${prompts} 个提示词（/mcp__${name}__…）`] : []),
      ...(resources ? [`资源（@${name}:…）`] : []),
      from,
    ].join(' · '),
}
