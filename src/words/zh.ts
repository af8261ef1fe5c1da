import { count } from '../text/truncate.ts'
import { FIRST } from './first.ts'
import { problemInChinese } from './problem-zh.ts'
import { sayer } from './sayings/sayings.ts'
import { ZH_SENTENCES } from './sayings/zh.ts'
import type { Words } from './words.ts'
import { ZH_DOING } from './zh-doing.ts'
import { ZH_HELPING } from './zh-helping.ts'
import { ZH_KIT_VIEW } from './zh-kit.ts'

const PLAIN_HELP = `输入你想做的事，按 Enter 发送。行尾加 \\ 可在下一行继续。
gopi 工作时，按 Enter 立即插话。
Ctrl+C 停止运行，连按两次退出；Ctrl+D 退出。`

const DEMO = ' gopi 内置的演示：用脚本展示 gopi 如何工作，不含语言模型。'

function time(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')} 秒`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} 秒`
  const rest = seconds % 60
  return `${Math.floor(seconds / 60)} 分${rest === 0 ? '钟' : ` ${rest} 秒`}`
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return '刚刚'
  if (minutes < 60) return `${minutes} 分钟前`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${hours} 小时前` : `${Math.floor(hours / 24)} 天前`
}

export const ZH: Words = {
  say: sayer(ZH_SENTENCES),
  problem: problemInChinese,
  moreLines: lines => `还有 ${count(lines)} 行`,
  time,
  moreLinesKey: (lines, key) => `还有 ${count(lines)} 行 · ${key}`,
  ofLimit: (ms, limit) => `${Math.round(ms / 1000)} / ${Math.round(limit / 1000)} 秒`,
  ago,
  tokens: tokens => `${count(tokens)} 个 token`,
  listed: parts => parts.join('、'),

  prompt: {
    above: lines => `↑ 还有 ${count(lines)} 行`,
    below: lines => `↓ 还有 ${count(lines)} 行`,
    placeholder: FIRST.zh.placeholder,
    placeholderRunning: '随时可以插话，立即生效',
    placeholderAsked: '请先回答上面的问题',
    pasted: lines => `[已粘贴 ${count(lines)} 行]`,
  },
  footer: {
    phases: {
      waiting: '等待服务器',
      loading: '正在加载模型',
      reading: '正在读取',
      thinking: '正在思考',
      writing: '正在回答',
      tool: '正在运行工具',
      idle: '就绪',
      summary: '正在压缩之前的对话',
      call: '正在编写工具调用',
    },
    comesWhole: '写完后服务器才一次性发来',
    longer: '比平常慢',
    orCall: '也可能正在编写工具调用（写完后服务器才一次性发来）',
    longerOrCall: '比平常慢，也可能正在编写工具调用（写完后才一次性发来）',
    runs: tool => `正在运行 ${tool}`,
    moreTime: key => `${key} 延长时限`,
    enough: key => `${key} 立即回答`,
    toBackground: key => `${key} 转到后台`,
    left: ms => `约 ${time(Math.max(1000, Math.round(ms / 1000) * 1000))}`,
    reading: tokens => `正在读取 ${count(tokens)} 个 token`,
    context: (used, limit, percent) => `上下文 ${used} / ${limit}（${percent}%）`,
    contextShort: percent => `${percent}%`,
    read: tokens => `新读 ${tokens}`,
    reused: tokens => `复用 ${tokens}`,
    perSecond: tokens => `${tokens} token/秒`,
    editsRun: mode => `${mode}（编辑直接执行）`,
    untrusted: '目录未受信任',
    demo: '演示：没有语言模型',
    noServer: '未连接 Ollama',
    noModel: '没有模型',
    noSandbox: '无沙盒',
    sandbox: '沙盒',
    background: running => `后台 ${running}`,
    moreBelow: key => `下方还有内容 · ${key} 跳到末尾`,
    help: key => `${key} 帮助`,
    stop: key => `${key} 停止`,
  },
  modes: {
    ask: { name: FIRST.zh.ask, does: '可自由读取，做任何更改前先询问' },
    'auto-edit': { name: '自动编辑', does: '修改项目内的文件、在沙盒中运行命令也无需询问' },
    plan: { name: '计划', does: '只读取和规划，不做任何修改' },
    yolo: { name: '全自动', does: '几乎所有操作都无需询问' },
  },
  queue: {
    steering: '即将插话：',
    followUps: waiting => (waiting === 1 ? '稍后发送：' : `稍后发送（${waiting} 条）：`),
    takeBack: key => `${key} 取回最后一条`,
  },
  welcome: {
    model: '模型',
    directory: '目录',
    instructions: '指令文件',
    skills: '技能',
    servers: 'MCP 服务器',
    extensions: '扩展',
    trusted: '已信任',
    notTrusted: '未受信任：不使用该目录自带的指令和配置（/trust 可重新选择）',
    connecting: '正在连接 Ollama …',
    last: '上次会话',
    goOn: ({ first, ago, key }) => `${first} · ${ago} · 按 ${key} 继续`,
    try: '试试看',
    tries: ['“介绍一下这个项目”', '“解释一下 @”：@ 引用文件', '!ls：! 运行命令，模型也能看到结果'],
    keys: { help: '帮助', newline: '换行', stop: '停止' },
  },
  cells: {
    thinking: '正在思考',
    thought: ms => `思考了 ${time(ms)}`,
    stoppedAfter: ms => `已停止，用时 ${time(ms)}`,
    took: ms => `用时 ${time(ms)}`,
    compacted: (before, after, waited) =>
      `已压缩之前的对话：${count(before)} → ${count(after)} 个 token${waited >= 100 ? `（等待 ${time(waited)}）` : ''}`,
  },
  tool: {
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
  approval: {
    title: {
      command: () => '运行这条命令？',
      diff: () => '进行这项修改？',
      text: tool => `允许 ${tool} 执行此操作？`,
    },
    dangerTitle: {
      command: () => '危险操作：运行这条命令？',
      diff: () => '危险操作：进行这项修改？',
      text: tool => `危险操作：允许 ${tool} 执行？`,
    },
    why: '询问原因',
    touches: '涉及',
    danger: '无论设置了什么规则，此类操作每次都会询问。',
    revealed: '不可见字符已显示为转义形式。',
    buttons: {
      once: '允许一次',
      session: '本次会话允许',
      edits: '本次会话允许所有修改',
      save: '始终允许',
      wider: '调整范围',
      edit: '修改命令',
      deny: '拒绝',
      denyWithReason: '拒绝并说明原因',
      denyAll: '全部拒绝',
    },
    rules: {
      session: rules => (rules === 1 ? '本次会话中允许：' : '本次会话中一并允许：'),
      save: () => '将保存的规则：',
    },
    among: ({ at, of }) => `第 ${at} 项，共 ${of} 项`,
    later: '接下来还会询问：',
    does: { reads: '读取', writes: '写入', network: '联网', unknown: '未知' },
    step: rules => `本次会话允许：${rules}`,
    earlier: (calls, which) =>
      calls === 0
        ? '本次会话中没有其他调用会因此放行。'
        : `本次会话中另有 ${calls} 次调用会因此放行：${which}`,
    edited: '将要运行的命令：',
    editedHint: ({ send, back }) => `${send} 运行并告知模型 · ${back} 返回`,
    save: ({ confirm, back }) => `${confirm} 保存并继续 · ${back} 返回`,
    saved: '已写入你的 config.yaml（permission.allow）。',
    reason: '希望模型改做什么？',
    reasonHint: ({ send, back }) => `${send} 发送给模型 · ${back} 返回`,
    scroll: ({ up, down }) => `${up} ${down} 滚动`,
    unread: ({ down, allow }) => `${down} 看到末尾后可按 ${allow}`,
    notRead: '请先向下滚动，看到末尾后再允许。',
  },
  questions: {
    trust: '信任这个目录吗？',
    trustFiles: '该目录自带 gopi 的指令、技能、命令或配置：',
    trustSets: '信任后，其中的配置将设置：',
    trustHint: '这些文件会影响模型的行为，也可能放行命令。不信任时 gopi 照常工作，但会忽略它们。',
    goOn: turns => `已进行 ${turns} 轮，要继续吗？`,
    goOnFor: turns => `再继续 ${turns} 轮`,
    yes: '是',
    no: '否',
    answerFirst: ({ yes, no }) => `${yes} 是 · ${no} 否 · 已输入的文字会留在输入框里`,
  },
  kit: ZH_KIT_VIEW,
  lists: {
    models: '模型',
    sessions: '本目录的会话',
    themes: '主题',
    modes: '权限模式',
    filter: '输入文字筛选',
    typed: '输入的文字会进入下方的输入框',
    nothing: '没有匹配项',
    hint: ({ choose, close }) => `${choose} 选择 · ${close} 关闭`,
    loading: '正在询问 Ollama …',
    noModels: command => `还没有安装任何模型，可用 ${command} 安装。`,
    noSessions: '本目录还没有其他会话。',
    context: tokens => `上下文 ${tokens}`,
    capabilities: {
      tools: '工具',
      thinking: '思考',
      vision: '图像',
      noTools: '文本式工具调用',
      loaded: '已加载',
    },
    empty: '（空会话）',
    indexing: files => `正在读取文件名 … 已读 ${count(files)} 个`,
    moreItems: items => `还有 ${count(items)} 项`,
    prompts: prompts => `${count(prompts)} 条消息`,
  },
  themes: { dark: '适合深色背景', light: '适合浅色背景', system: '跟随终端', own: '自定义主题' },
  hints: {
    ...{ all: '全部功能', commands: '命令', files: '文件', shell: '运行命令', mode: '模式', help: '帮助' },
    ...{ send: '发送', newline: '换行', editor: '外部编辑器', complete: '补全' },
    ...{ unfold: '展开', copy: '复制', back: '返回' },
  },
  side: {
    context: '上下文',
    todo: '待办',
    running: '正在运行',
    changed: '已修改',
    read: '已读取',
    servers: 'MCP 服务器',
    memory: (size, gpu) => `占用内存 ${size}，GPU 占 ${gpu} %`,
    narrow: columns => `侧栏至少需要 ${columns} 列。`,
    whichChange: '本次会话的修改',
  },
  palette: { title: '全部功能', kinds: { model: '模型', session: '会话', file: '文件' } },
  search: {
    find: '查找：',
    found: ({ at, of, isMore }) => `第 ${count(at)} 处，共 ${count(of)}${isMore ? '+' : ''} 处`,
    keys: ({ older, newer, close }) => `${older} 更早 · ${newer} 更新 · ${close} 结束`,
    notFound: '未找到',
    history: '历史记录',
    noHistory: '还没有发送过任何内容。',
  },
  notices: {
    copied: characters => `已复制 ${count(characters)} 个字符。`,
    nothingToCopy: '还没有可复制的回答。',
    copyTooLong: most => `终端最多接受 ${most}，未复制。`,
    mouseOn: '鼠标已开启：滚轮滚动，选中的文字会自动复制。',
    mouseOff: '鼠标已关闭：可照常选择文字。',
    theme: name => `主题：${name}`,
    mode: (name, does) => `${name}模式：${does}。`,
    model: name => `下一条消息将发送给 ${name}。`,
    yolo: '全自动模式（YOLO）：gopi 在此几乎所有操作都不会询问！',
    leaveAgain: key => `再按一次 ${key} 退出。`,
    endedAlong: (all, names) =>
      `已随 gopi 一并结束（${all} 项）：${names.join(' · ')}${names.length < all ? ' · …' : ''}`,
    resumeLine: command => `继续此会话：${command}`,
    stopped: '已停止。',
    askAgain: command => `${command} 再试一次`,
    nothingRunning: '当前没有正在运行的任务。',
    notSent: words => `未发送：${words}`,
    notSentLastTime: words => `上次未发送：${words}`,
    noSuchCommand: (command, near) =>
      `没有 ${command} 这个命令；${near === undefined ? '输入 /help 查看全部命令。' : `是否想输入 ${near}？`}`,
    expects: (command, what) => `${command} 后面需要写上${what}。`,
    compacting: '正在压缩对话 …',
    examining: '正在检查 …',
    nothingToCompact: '还没有可压缩的内容。',
    notWhileRunning: command => `${command} 只能在空闲时使用。`,
    onScreenOnly: command => `${command} 用于全屏界面，在逐行模式中不起作用。`,
    notInPrint: command => `${command} 用于对话，在 -p 中不起作用。`,
    noSuchMode: (name, known) => `应为以下模式之一：${known}；收到的是 ${name}。`,
    thinking: level => `思考：${level}，从下一次请求起生效。`,
    noSuchThinking: (name, known) => `应为以下之一：${known}；收到的是 ${name}。`,
    noThought: '模型现在没有在思考。',
    noSuchTheme: (name, known) => `应为以下主题之一：${known}；收到的是 ${name}。`,
    editorMissing: program => `找不到编辑器 ${program}，请将 VISUAL 或 EDITOR 设为已安装的编辑器。`,
    editorFailed: (program, why) => `编辑器 ${program} 出错（${why}），输入内容保持不变。`,
    historyFailed: why => `无法写入历史记录：${why}`,
    denied: why => `已拒绝：${why}`,
    toTheModel: text => `gopi 告知模型：${text}`,
    trustChanged: file => `自您信任此文件夹以来，${file} 已更改。`,
    demo: `这是${DEMO}`,
    demoInstead: host => `${host} 没有 Ollama 响应，因此这是${DEMO}`,
    nothingToTrust: '该目录没有自带的指令或配置，无需信任。',
    trustNotKept: why => `无法保存回答：${why}`,
    done: 'gopi 已完成',
    asks: 'gopi 需要确认',
    failed: 'gopi 无法继续',
  },
  ...ZH_HELPING,
  ...ZH_DOING,
  plain: {
    greeting: ({ version, model, dialect, host, mode }) =>
      `gopi ${version} · ${model}（${dialect}），位于 ${host} · ${mode} · /help`,
    help: PLAIN_HELP,
    thinking: '正在思考',
    wasThought: '（以上是思考。回答如下：）',
    wantsToRun: (tool, why) => `gopi 想运行 ${tool}：${why}`,
    forSession: rules => `a，本次会话允许：${rules}`,
    forAlways: rules => `s，始终允许并保存：${rules}`,
    runIt: letters => `运行吗？（${letters}, n，或 e 加上希望模型改做的事）`,
    goOn: turns => `已进行 ${turns} 轮，再继续同样的轮数吗？（y/n）`,
    trustQuestion: '信任它吗？（y/n）',
    whichSession: '选择哪个会话？',
    yesOrNo: '（y/n）',
    expectedNumber: most => `请输入 1 到 ${most} 之间的数字。`,
    context: (used, limit, percent) => `[上下文 ${used} / ${limit} 个 token，${percent}%]`,
    waitingForInput: '正在等待标准输入结束（来自管道）…',
  },
}
