import type { EN_PLAIN } from './en-plain.ts'

const PLAIN_HELP = `输入你想做的事，按 Enter 发送。行尾加 \\ 可在下一行继续。
gopi 工作时，按 Enter 立即插话。
Ctrl+C 停止运行，连按两次退出；Ctrl+D 退出。`

export const ZH_PLAIN: typeof EN_PLAIN = {
  plain: {
    greeting: ({ version, model, dialect, host, mode }) =>
      `gopi ${version} · ${model}（${dialect}），位于 ${host} · ${mode} · /help`,
    help: PLAIN_HELP,
    thinking: '正在思考',
    wasThought: '（以上是思考。回答如下：）',
    wantsToRun: (tool, why) => `gopi 想运行 ${tool}：${why}`,
    forSession: rules => `a，本次会话允许：${rules}`,
    forAlways: rules => `s，始终允许并保存：${rules}`,
    runIt: letters => `运行吗？（${letters}、n，或 e 加上希望模型改做的事）`,
    goOn: turns => `已进行 ${turns} 轮，再继续同样的轮数吗？（y/n）`,
    trustQuestion: '信任它吗？（y/n）',
    whichSession: '选择哪个会话？',
    yesOrNo: '（y/n）',
    expectedNumber: most => `请输入 1 到 ${most} 之间的数字。`,
    context: (used, limit, percent) => `[上下文 ${used} / ${limit} 个 token，${percent}%]`,
    waitingForInput: '正在等待标准输入结束（来自管道）…',
  },
}
