import { size } from '../text/truncate.ts'
import type { SETUP_EN } from './setup-en.ts'

export const SETUP_ZH: typeof SETUP_EN = {
  question: '现在设置吗？',
  offer: 'gopi 可以启动 Ollama、下载模型、让您选择已安装的模型，或打开演示。',
  start: program => `启动：${program} serve`,
  pull: model => `下载 ${model}`,
  use: model => `使用 ${model}`,
  demo: '试用演示，无需模型',
  leave: '暂不设置',
  starting: log => `正在启动 Ollama，日志在 ${log} …`,
  notStarted: log => `Ollama 没有启动，原因见日志：${log}`,
  pulling: model => `正在下载 ${model}；按 Ctrl+C 停止，下次从中断处继续。`,
  progress: (done, total) => `已下载 ${size(done)} / ${size(total)}`,
  speed: (speed, left) =>
    `${speed === undefined ? '' : `  ${size(speed)}/秒`}${left === undefined ? '' : `  剩余 ${left}`}`,
  still: '  没有数据到来，Ollama 正在重试',
  stopped: '已停止，已下载的部分会保留。',
  ready: (model, host) => `gopi 使用 ${host} 上的 ${model}。`,
  written: file => `已写入 ${file}。`,
  running: 'Ollama 仍在运行。按 s 停止它，按其他键让它继续运行。',
  ended: 'Ollama 已停止。',
  stillRuns: pid => `Ollama（进程 ${pid}）仍在运行。`,
}
