import { count } from '../text/truncate.ts'
import type { EN_CELLS } from './en-cells.ts'
import { failureInChinese } from './tool-failure-zh.ts'
import { time } from './zh-time.ts'

export const ZH_CELLS: typeof EN_CELLS = {
  cells: {
    thinking: '正在思考',
    thought: ms => `思考了 ${time(ms)}`,
    stoppedAfter: ms => `已停止，用时 ${time(ms)}`,
    took: ms => `用时 ${time(ms)}`,
    compacted: (before, after, waited) =>
      `已压缩之前的对话：${count(before)} → ${count(after)} 个 token${waited >= 100 ? `（等待 ${time(waited)}）` : ''}`,
  },
  tool: {
    failed: failureInChinese,
    exit: code => `退出码 ${code}`,
    within: (pattern, place) => `${pattern}（在 ${place} 中）`,
    denied: '已拒绝',
    stopped: '已停止',
    outOfTime: '超时',
    sent: '在后台',
    lines: lines => `${count(lines)} 行`,
    linesOf: (from, to, total) => `第 ${count(from)}–${count(to)} 行，共 ${count(total)} 行`,
    matches: (matches, files) =>
      matches === 0 ? '未找到' : `${count(files)} 个文件中有 ${count(matches)} 处`,
    files: files => (files === 0 ? '未找到' : `${count(files)} 个文件`),
    entries: entries => `${count(entries)} 项`,
    task: (calls, read, way) =>
      `调用 ${count(calls)} 次，${way === 'branch' ? '接着本会话' : '从头'}读取 ${count(read)} 个 token`,
  },
}
