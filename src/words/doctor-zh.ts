import { count, diskSize, size } from '../text/truncate.ts'
import type { DOCTOR_EN, SUBJECTS_EN } from './doctor-en.ts'
import { problemInChinese } from './problem-zh.ts'
import type { Sentences } from './sayings/sayings.ts'

const tokens = (count: number): string => `${count.toLocaleString('en')} 个 token`

export const DOCTOR_ZH: Sentences<typeof DOCTOR_EN> = {
  said: ({ what }, say) => say(what),

  'server.answers': ({ host }) => `${host} 上的 Ollama 有响应`,
  'version.known': ({ version }) => version,
  'model.there': ({ model, why, bytes }, say) =>
    `${model}${bytes === undefined ? '' : `，${diskSize(bytes)}`}（${say(why)}）`,
  'model.flag': () => '由命令行指定',
  'model.environment': () => '来自环境变量',
  'model.file': () => '来自 config.yaml',
  'model.default': () => '默认模型',
  'model.instead': () => '代替使用',
  'abilities.list': ({ list }) => list.join('、'),
  'abilities.untold': () => '服务器没有说明该模型的能力',
  'dialect.native': () => 'native：模型用 Ollama 自己的协议调用工具',
  'dialect.react': () =>
    'react：模型不能通过 Ollama 调用工具，gopi 从文本中读取调用；支持工具的模型更快、更可靠',
  'dialect.forced': ({ name }) => `${name}，由 ollama.tool_calling 指定`,
  'context.asked': ({ context }) => tokens(context),
  'context.trained': ({ context, wanted }) =>
    `${tokens(context)}，这是该模型训练时的上限（context.max_tokens 为 ${count(wanted)}）`,
  'context.other': ({ has, context }) =>
    `模型已按 ${tokens(has)} 加载，而 gopi 将请求 ${tokens(context)}：第一次提问时会重新加载`,
  'memory.fits': ({ context, needs, free }) =>
    `${tokens(context)} 的上下文连同模型约需 ${size(needs)}，可用 ${size(free)}`,
  'memory.tight': ({ context, needs, free, fits }) =>
    `${tokens(context)} 的上下文连同模型约需 ${size(needs)}，可用 ${size(free)}：放得下 ${tokens(fits)}；请将 context.max_tokens 设为 ${fits}，或用 OLLAMA_FLASH_ATTENTION=1 和 OLLAMA_KV_CACHE_TYPE=q8_0 启动服务器，上下文占用可减半`,
  'memory.small': ({ needs, free }) =>
    `模型约需 ${size(needs)}，可用 ${size(free)}：请关闭其他程序，或换用更小的模型`,
  'memory.gpu': ({ bytes }) => `已加载，${size(bytes)}，全部在 GPU 上`,
  'memory.cpu': ({ bytes }) =>
    `已加载，${size(bytes)}，只在 CPU 上运行，速度慢：换用更小的模型会有帮助；如果有 GPU，Ollama 的日志会说明为何没有使用`,
  'memory.partly': ({ bytes, percent }) =>
    `已加载，${size(bytes)}，其中 ${percent}% 在 CPU 上：缩小上下文（context.max_tokens）或换用更小的模型即可全部放入 GPU，也可用 OLLAMA_FLASH_ATTENTION=1 和 OLLAMA_KV_CACHE_TYPE=q8_0 启动服务器`,
  'keep_alive.for': ({ time }) => `每次请求后模型保持加载 ${time}`,
  'keep_alive.ever': () => '模型一直保持加载',
  'keep_alive.short': ({ time }) =>
    `模型只保持加载 ${time}：停顿之后需要重新加载、重新读取；请调大 ollama.keep_alive`,
  'speed.measured': ({ prefill, decode }) => `读取 ${count(prefill)} token/秒，生成 ${decode} token/秒`,
  'speed.slow': ({ prefill, decode }) =>
    `读取 ${count(prefill)} token/秒，生成 ${decode} token/秒：换用更小的模型会更快`,

  'program.found': ({ version, file }) => `${version}（${file}）`,
  'bash.missing': () => 'PATH 中没有 bash：gopi 用它运行命令，请安装',
  'bash.old': ({ version }) => `${version} 太旧：gopi 需要 3.2 或更新的版本`,
  'git.missing': () => 'PATH 中没有 git：gopi 照常工作，但无法把仓库的情况告诉模型',
  'ripgrep.missing': () => 'PATH 中没有 rg：gopi 自己搜索，耗时是原来的数倍',
  'sandbox.holds': ({ hidden, kept, hosts }) =>
    `有效：其中的命令${hosts === '' ? '没有网络' : hosts === '*' ? '在可改动项目之处能访问任何主机' : `只在可改动项目之处能访问 ${hosts}，此外没有网络`}，看不到其他进程和 ${hidden} 处机密，项目中 ${kept} 个受保护的文件保持原样`,
  'sandbox.off': () => '已按配置关闭',
  'sandbox.none': ({ why }) => `没有（${why}）：只读取或只改动项目的命令也会询问`,
  'sandbox.required': ({ why }) => `没有（${why}），而配置要求必须有：本应在其中运行的命令会被拒绝`,
  'terminal.none': () => '这里不是终端：gopi 逐行工作',
  'terminal.dumb': ({ name }) => `TERM 为 ${name || '空'}：gopi 逐行工作`,
  'terminal.good': ({ name, colours, columns, rows }) => `${name}，${colours}，${columns} × ${rows}`,
  'terminal.narrow': ({ columns, rows }) => `${columns} × ${rows} 偏小：60 × 15 以上才能完整显示对话框`,
  'config.files': ({ files }) => files.join('、'),
  'config.defaults': () => '默认值；没有您自己的配置文件',
  'home.private': ({ home }) => `${home} 只有您能访问`,
  'home.none': ({ home }) => `${home} 尚不存在`,
  'home.problem': ({ problem }) => problemInChinese(problem),
  'trust.yes': () => '此目录受信任',
  'trust.none': () => '此目录没有需要信任的说明或配置',
  'trust.no': ({ files }) => `不受信任，因此不使用 ${files.join('、')}；在此打开对话时 gopi 会询问`,
}

export const SUBJECTS_ZH: typeof SUBJECTS_EN = {
  server: '服务器',
  version: '版本',
  model: '模型',
  abilities: '能力',
  dialect: '工具调用',
  context: '上下文',
  memory: '内存',
  keep_alive: '保持加载',
  speed: '速度',
  bash: 'bash',
  git: 'git',
  ripgrep: 'ripgrep',
  sandbox: '沙盒',
  terminal: '终端',
  config: '配置',
  home: '文件',
  trust: '信任',
  levels: { ok: '正常', warn: '注意', fail: '失败' },
}
