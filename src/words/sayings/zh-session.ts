import { problemInChinese } from '../problem-zh.ts'
import type { EN_SESSION } from './en-session.ts'
import type { Sentences } from './sayings.ts'

export const ZH_SESSION: Sentences<typeof EN_SESSION> = {
  turn_limit: ({ turns }) => `已进行 ${turns} 轮，就此停止。`,
  'answer.form': ({ problem }) => `回答不符合 schema：${problem}`,
  talks: ({ replies, detail }) =>
    `该模型不遵循任何工具调用格式（最近 ${replies} 次回复都无法解析，告知模型的原因：${detail}）。接下来只作普通对话；注明路径的代码块若是完整文件，会先征求你的同意再写入。`,
  length: () =>
    '回复被截断：上下文已满，或已达到回复长度上限。说“继续”可得到其余部分；上下文已满时请先 /compact。',
  repeat: ({ tool }) => `已停止：模型反复发出相同的 ${tool} 调用，结果也始终相同。`,
  repeat_pair: ({ tool, other }) =>
    `已停止：模型反复交替发出相同的两个调用（${other}、${tool}），结果也始终相同。`,
  repeat_error: ({ tool }) => `已停止：模型的 ${tool} 调用反复出现同一个错误。`,
  repeat_text: ({ text }) => `已停止：模型反复说同样的话：“${text}”`,
  malformed_call: ({ reason }, say) => say(reason),
  'stream.unreadable': ({ replies, detail, tools }) =>
    `模型最近 ${replies} 次回复都无法解析（告知模型的原因：${detail}）。gopi 需要的是普通文本，或对 ${tools.join('、')} 的调用；请重试、换用其他模型，或使用 --tool-calling react。`,
  'internal.bug': ({ problem }) =>
    `gopi 自身出错：${problem}。请报告此问题；使用 --debug 可将详细信息写入日志。`,
  'internal.no_files': ({ problem }) =>
    `无法再打开文件（${problem}）：请关闭其他程序或提高上限（ulimit -n），然后重试。`,
  'internal.system': ({ problem }) => `gopi 无法继续：${problem}。`,
  'internal.demo': () => '演示服务器未能启动；运行 `gopi demo` 可查看原因。',
  'internal.demo_taken': ({ port }) =>
    `演示无法在端口 ${port} 上监听：端口已被占用；请指定其他端口，或用 --port 0 任选一个空闲端口。`,
  'internal.demo_closed': ({ port, problem }) => `演示无法在端口 ${port} 上监听：${problem}。`,

  'mention.no_room': ({ path }) => `未附上 @${path}：上下文空间不足。`,
  'mention.no_tool': ({ path }) => `未附上 @${path}：本次会话没有可读取文件的工具。`,
  'mention.no_vision': ({ path }) => `未附上 @${path}：此模型不支持图像。`,
  'mention.denied': ({ path, why }, say) => `未附上 @${path}：${ended(say(why))}`,
  'mention.failed': ({ path, output }) => `未附上 @${path}，读取工具返回：${output}`,
  'mention.asked': ({ path, why }, say) => `已附上 @${path}：${ended(say(why))}`,
  'instructions.cut': ({ files }) =>
    `指令文件每个最多 8 KB、总计最多 16 KB，以下文件已被截断：${files.join('、')}。`,
  'instructions.link': ({ files }) =>
    `指令文件不能是链接，以下文件未读取：${files.join('、')}。请直接放入文件内容。`,
  'instructions.changed': ({ file }) => `${file} 已更改，将在新会话中生效（/clear）。`,
  'trust.instructions': ({ files }) =>
    `该目录未受信任，因此不使用其中的指令文件（${files.join('、')}）；使用 --trust 即可启用。`,
  'trust.changed': ({ file }) =>
    `${file} 在你信任该目录之后有更改，因此重新询问之前该目录不受信任（使用 --trust 可在本次启动中信任它）。`,

  'resume.none': () => '本目录没有可继续的会话，已新建一个。',
  'resume.unanswered': ({ id }) =>
    `已跳过会话 ${id}：当时没有模型可以回答；用 gopi --resume ${id} 可打开它。`,
  'resume.copy': ({ id, process, copy }) =>
    `会话 ${id} 已在另一个 gopi（进程 ${process}）中打开，将在副本 ${copy} 中继续。`,
  'resume.newer': ({ id, copy }) =>
    `会话 ${id} 由更新版本的 gopi 写入，将在副本 ${copy} 中继续，仅保留当前版本能识别的内容。`,
  no_journal: ({ file, why }, say) => `已跳过 ${file}：${say(why)}。`,
  'no_journal.kind': () => '它不是普通文件',
  'no_journal.other': () => '它属于其他用户',
  'no_journal.too_big': ({ megabytes }) => `文件过大（${megabytes} MB）`,
  'no_journal.unreadable': ({ problem }) => `无法读取（${problem}）`,
  'mode.no_yolo': () => '此会话此前处于全自动模式，现已恢复为询问模式；可用 --yolo 或 /mode yolo 重新启用。',
  'agent.gone': ({ name }) =>
    `本会话所用的代理 ${name} 已不存在；它的限制仍按会话记录执行。可用 --agent 或 /agent 另选。`,
  'agent.wider': ({ name }) =>
    `代理 ${name} 现在的权限比本会话使用它时更宽；这里仍按当时的限制执行。用 --agent ${name} 或 /agent ${name} 可采用它现在的设置。`,
  journal: ({ lines }) => `已跳过会话记录中损坏的行：${lines.join('、')}。`,
  disk: ({ problem }) => `无法将对话保存到磁盘：${problem}。`,
  'disk.lost': ({ file }) => `${file} 在保存对话期间被删除、替换或截短，现已重新写入。`,
  'stray.copy': ({ file, copy }) => `上一个 gopi 在写入 ${file} 时被终止：该文件原来的内容保存在 ${copy}。`,
  'compaction.no_summary': () => '模型未给出摘要；已保留涉及的文件、命令和最近的消息。',
  'compaction.in_vain': () => '这次压缩节省不多；新建会话（/clear）能节省更多。',
  'background.ended': ({ command, how, stopped }) =>
    `后台命令已${stopped ? '被您' : ''}结束：${command}${stopped ? '' : `（${how}）`}。模型会随您的下一句话得知。`,
  'background.ended_quietly': ({ command, how, stopped }) =>
    `后台命令已${stopped ? '被您' : ''}结束：${command}${stopped ? '' : `（${how}）`}。`,
  'shell.left_running': ({ command, process }) => `由命令启动的程序仍在运行：${command}（进程 ${process}）`,

  'config.yolo': ({ file }) =>
    `${file}：permission.mode 未生效，因为项目不能启用 yolo（你自己可以使用 --yolo）`,
  'config.untrusted': ({ file, keys }) =>
    `${file}：${keys.join('、')} 未生效，因为该目录未受信任；在受信任之前，其中的配置只能收紧权限（使用 --trust 可在本次启动中信任它）`,
  'config.untrusted_problem': ({ problem }) =>
    `${problemInChinese(problem)}；此文件夹未受信任，gopi 已将其忽略并继续`,
  'config.rule_unsaved': ({ problem }, say) => `${ended(say(problem))}该规则在本次会话中有效。`,
  'config_file.directory': ({ file }) => `${file}：应为文件，实际是目录`,
  'config_file.device': ({ file }) => `${file}：应为文件，实际是设备、管道或套接字`,
  'config_file.too_big': ({ file, megabytes }) => `${file}：文件不得超过 1 MB，实际为 ${megabytes} MB`,
  'config_file.open_key': ({ file }) =>
    `${file} 中有密钥，而这台机器上的其他人也能读取：请将其权限设为 600，或改为引用环境变量。`,
  'config_file.forbidden': ({ file }) => `${file}：gopi 无权读取此文件；请修改其权限，或将其移走`,
  'config_file.encoding': ({ file }) => `${file}：应为 UTF-8 文本，实际含有其他字节`,
  'config_file.unreadable': ({ file, problem }) => `${file}：无法读取此文件：${problem}`,
  'config_file.no_list': ({ file }) => `${file}：应为 YAML，且 permission.allow 应为列表；修正后才能添加规则`,
  'config_file.unwritable': ({ file, problem }) => `${file}：无法保存规则：${problem}`,
  'verify.runs': ({ commands }) => `正在检查：${commands.join('，')}`,
  'verify.passed': () => '检查通过。',
  'verify.failed': ({ commands }) => `检查失败：${commands.join('，')}。已请模型修正。`,
  'verify.gave_up': ({ commands, times }) => `尝试 ${times} 次后仍未通过：${commands.join('，')}。`,
  'verify.not_run': ({ command }) => `此检查未获准运行：${command}。`,
  'verify.offer': ({ commands }) =>
    `项目中有这些检查：${commands.join('，')}。输入 /verify 可在每次运行结束前执行。`,
}

const ended = (sentence: string): string => sentence.replace(/[。.]?$/, '。')
