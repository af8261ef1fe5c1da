import type { EN_BACKEND, Fault, Page, Refused, Silent } from './en-backend.ts'
import type { Sentences } from './sayings.ts'

const START =
  '请用 "ollama serve" 启动，或从 https://ollama.com/download 安装，也可以不装 Ollama 先试用：gopi --demo'
interface At {
  host: string
  provider?: string
}
const who = ({ host, provider }: At): string =>
  provider === undefined ? `${host} 上的 Ollama` : `服务器 ${host}`
const name = ({ provider }: At): string => (provider === undefined ? 'Ollama' : '服务器')
const check = ({ provider }: At): string =>
  provider === undefined
    ? '请检查 --host、ollama.host 或 OLLAMA_HOST'
    : `请检查配置中的 providers.${provider}`
const wait = (it: At): string =>
  it.provider === undefined
    ? `${check(it)}，重启 Ollama，或调大 ollama.timeout`
    : `${check(it)}，或调大它的 timeout`
const start = ({ provider }: At): string => (provider === undefined ? START : '请启动它')
const look = (it: At): string => `请确认 ${name(it)} 是否仍在运行（原因见其日志），然后重试`
const AGAIN = '请重试；若再次出现，请查看其日志'

const quoted = (words: string | number): string => `“${words}”`
const tokens = (count: number): string => count.toLocaleString('en')
const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} 毫秒` : `${Math.round(ms / 100) / 10} 秒`

const named = ({ model }: Pick<Refused, 'model'>): string => (model === undefined ? '该模型' : quoted(model))

const said = ({ status, words }: Pick<Refused, 'status' | 'words'>): string =>
  [status, words === '' ? undefined : quoted(words)].filter(part => part !== undefined).join('：')

const refused =
  (advice: (facts: Refused) => string) =>
  (facts: Refused): string =>
    `${who(facts)} 返回错误（${said(facts)}）：${advice(facts)}。`

const page = ({ status, title, ...at }: Page): string =>
  `${at.host} 返回 ${status}，内容是网页${title === undefined ? '' : `（${quoted(title)}）`}而不是 JSON：那里是别的程序或代理；${check(at)}。`

const fault =
  (what: (detail: string | number) => string) =>
  ({ detail, ...at }: Fault): string =>
    `${who(at)} ${what(detail)}：${AGAIN}。`

const silence =
  (why: (model: string) => string) =>
  ({ host, model, silence }: Silent): string =>
    `${host} 已有 ${duration(silence)}没有任何响应；${why(quoted(model))}：请继续等待，或中断。`

export const ZH_BACKEND: Sentences<typeof EN_BACKEND> = {
  'host.overheard': ({ host }) =>
    `${host} 不在本机或本地网络，且通过未加密的 http 访问：传输途中的任何人都能读取对话和你的文件。请使用 https 或加密隧道。`,
  'host.open_key': ({ host }) =>
    `${host} 的密钥经明文 http 发送：途中任何人都能读取并使用它。请改用 https 或隧道。`,
  'no_server.refused': ({ why, ...at }) =>
    at.provider === undefined
      ? `${at.host} 没有 Ollama 响应（${why}）：${START}。`
      : `${at.host} 没有服务器响应（${why}）：请启动它，或${check(at).slice(1)}。`,
  'no_server.no_such_name': ({ why, ...at }) =>
    `${at.host} 中的主机名无法解析（${why}）：${check(at)}，以及网络。`,
  'no_server.no_tls': ({ host, why }) =>
    `无法与 ${host} 建立安全连接（${why}）：若它不支持 TLS 请改用 http://，否则请在 NODE_EXTRA_CA_CERTS 中指定其证书颁发机构。`,
  'no_server.no_certificates': ({ host, why }) =>
    `无法读取 ${host} 的证书（${why}）：请检查配置中的 \`ca\`。`,
  'no_server.no_http': ({ why, ...at }) => `在 ${at.host} 监听的程序不使用 HTTP（${why}）：${check(at)}。`,
  'no_server.unreachable': ({ why, ...at }) =>
    `无法连接到 ${at.host}（${why}）：请检查网络，或者${start(at)}。`,
  'stream.broke_waiting': ({ why, ...at }) => `与 ${who(at)} 的连接在响应之前中断（${why}）：${look(at)}。`,
  'stream.broke_reading': ({ why, ...at }) => `与 ${who(at)} 的连接在回答中途中断（${why}）：${look(at)}。`,
  'no_server.connect_timeout': ({ timeout, ...at }) =>
    `${duration(timeout)}内无法连接到 ${who(at)}：${wait(at)}。`,
  'no_server.answer_timeout': ({ timeout, ...at }) =>
    `${who(at)} 接受了连接，但 ${duration(timeout)}内没有响应：${wait(at)}。`,
  'no_server.no_address': at =>
    `${quoted(at.host)} 不是服务器地址：${check(at)}，例如 ${at.provider === undefined ? 'http://localhost:11434' : 'http://localhost:8000/v1'}。`,
  'no_server.redirect': ({ status, target, ...at }) =>
    `${at.host} 重定向到${target === undefined ? '别处' : ` ${quoted(target)}`}（${status}），gopi 不会跟随：${check(at)}。`,
  'no_server.page': page,
  'stream.page': page,
  'stream.empty': fault(() => '在应返回 JSON 处什么也没有返回'),
  'stream.unfinished': fault(() => '的回答没有结束记录'),
  'stream.cut_line': fault(() => '的回答在一行中间断开'),
  'stream.no_json': fault(line => `发来 ${quoted(line)}，而此处应为 JSON 对象`),
  'stream.too_long': fault(bytes => `发来一行超过 ${bytes} 字节仍未结束的内容`),
  'stream.encoded': fault(encoding => `使用了未请求的编码 ${quoted(encoding)}`),
  'stream.wrong_kind': fault(detail => `发来无法解读的回答（${detail}）`),
  'stream.gone': fault(ms => `已有 ${duration(Number(ms))}没有任何响应，且不再加载该模型`),
  'stream.unreadable_call': ({ host, detail }) =>
    `${host} 上的模型写出了无法解读的工具调用（${detail}）：请重试。`,
  'no_server.stranger': ({ words, ...at }) =>
    `在 ${at.host} 监听的程序的响应不像 ${at.provider === undefined ? 'Ollama' : '兼容 OpenAI 的服务器'}（${quoted(words)}）：${check(at)}。`,
  'no_model.missing': ({ host, model, nearest }) => {
    const choice = nearest.length === 0 ? '' : `，或用 --model 另选一个（已安装：${nearest.join('、')}）`
    return `${host} 上的 Ollama 没有模型 ${quoted(model)}：请用 "ollama pull ${model}" 下载${choice}。`
  },

  'no_tools.refused': refused(
    it => `${named(it)} 不支持 ${name(it)} 的工具调用；请使用 --tool-calling react 或 json，或换一个模型`,
  ),
  'stream.no_thinking': refused(it => `${named(it)} 不支持按需思考；请使用 --think off`),
  'no_model.no_chat': refused(it => `${named(it)} 不是对话模型；请用 --model 另选一个`),
  'no_model.not_found': refused(
    ({ model = 'NAME' }) => `请用 "ollama pull ${model}" 下载，或用 --model 另选一个`,
  ),
  'context.full': refused(
    it => `对话已超出 ${named(it)} 的上下文；请压缩对话、开始新会话，或调大 context.max_tokens`,
  ),
  'memory.full': refused(
    it => `内存容不下 ${named(it)}；请关闭其他程序、调小 context.max_tokens，或选用更小的模型`,
  ),
  'stream.runner_died': refused(
    it => `运行 ${named(it)} 的进程已退出；请重试（Ollama 会重新启动它），若再次退出请查看 Ollama 的日志`,
  ),
  'stream.call_unread': refused(it => `${named(it)} 写出了 ${name(it)} 无法解读的工具调用；请重试`),
  'no_model.no_cloud': refused(
    it => `${named(it)} 在 Ollama 云端运行；请选用本地模型，或启动 Ollama 时不设置 OLLAMA_NO_CLOUD`,
  ),
  'no_server.signin': refused(({ address }) =>
    address === undefined
      ? '请用 "ollama signin" 登录、设置 OLLAMA_API_KEY，或在 ollama.host 中写入用户名和密码'
      : `请用 "ollama signin" 登录，或在 ${address} 登录`,
  ),
  'no_server.local_names': refused(
    () => '它只响应本地名称；请使用其 IP 地址，或以 OLLAMA_HOST=0.0.0.0 让它监听',
  ),
  'no_model.not_open': refused(it => `你无权使用 ${named(it)}；请检查你的账户，或用 --model 另选一个`),
  'no_server.not_ollama': refused(it => `这不是 Ollama 的接口；${check(it)}`),
  'busy.busy': refused(() => '它太忙；请稍候再试'),
  'busy.gateway': refused(() => 'gopi 与模型之间的某个环节无法连到它；请稍候再试'),
  'stream.unknown': refused(() => AGAIN),
  'no_server.no_key': refused(
    ({ provider }) => `请设置它接受的密钥：providers.${provider}.api_key，例如 \${OPENAI_API_KEY}`,
  ),
  'no_server.unpaid': refused(() => '密钥所属账户的余额不足；请充值，或换用其他服务器'),
  'no_server.no_chat': refused(
    it => `那里没有 /chat/completions 接口；${check(it)}（base_url 通常以 /v1 结尾）`,
  ),
  'no_model.unknown': refused(
    it => `那里没有 ${named(it)}；请用 --model 另选一个（"gopi models" 会列出可用模型）`,
  ),
  'context.too_large': refused(() => '请求超出了它能接收的大小；请压缩对话，或开始新会话'),
  'busy.rate': refused(() => '请求超出了它允许的频率；请稍候再试'),

  'no_model.no_such_model': ({ host, model = '' }) =>
    `${host} 上的 Ollama 无法下载模型“${model}”：没有这个名称的模型，或无权下载；可用的模型见 https://ollama.com/library。`,
  'no_model.no_name': refused(it => `${named(it)} 不是模型名称（例如 qwen3:8b）；请用 --model 另选一个`),
  'no_model.newer_ollama': refused(
    it => `${named(it)} 需要更新版本的 Ollama；请从 https://ollama.com/download 获取`,
  ),
  'disk.full': refused(
    it =>
      `Ollama 存放模型的位置（OLLAMA_MODELS，通常是 ~/.ollama/models）容不下 ${named(it)}；请腾出空间，之后会从中断处继续，或另选较小的模型`,
  ),
  'stream.damaged': refused(() => '收到的内容与发送的不一致；请重新下载'),
  'busy.no_library': refused(
    () =>
      '它连不上提供模型的地方；请检查它所在机器的网络（代理通过 "ollama serve" 的环境变量 HTTPS_PROXY 设置），然后重新下载：已下载的部分会保留',
  ),

  retry: ({ wait, ...answer }) => `${who(answer)} 现在无法回答（${said(answer)}）；${duration(wait)}后重试。`,
  'silence.loaded': silence(model => `${model} 已加载，因此它仍在读取提示词或正在写工具调用`),
  'silence.not_loaded': silence(model => `${model} 未加载，因此它仍在加载或等待空间`),
  'silence.untold': silence(() => '它也没有说明加载了什么'),
  'server_version.truncates': ({ version }) =>
    `Ollama ${version} 会悄悄截断过长的对话：请更新到 0.12.6 或更新版本（https://ollama.com/download）。`,
  'context.smaller': ({ model, has, wanted }) =>
    `${model} 运行时的上下文为 ${tokens(has)} 个 token，而不是 gopi 请求的 ${tokens(wanted)}：请把 context.max_tokens 设为 ${has}，或释放内存后重启模型（ollama stop ${model}）。`,
  'context.untold': ({ model, provider, used }) =>
    `${provider} 没有说明与 ${model} 的对话可以有多长：gopi 按 ${tokens(used)} 个 token 计算；请在 providers.${provider}.models 中用 {"${model}": {context: 131072}} 这样的写法指定。`,
  'context.cpu': ({ model }) =>
    `${model} 完全在 CPU 上运行，速度较慢：换用更小的模型会有帮助；如果有 GPU，Ollama 的日志会说明为何没有使用。`,
  'context.partly_cpu': ({ model, percent }) =>
    `${model} 有 ${percent} % 在 CPU 上运行：更小的上下文（context.max_tokens）或更小的模型可完全放入 GPU，为服务器设置 OLLAMA_FLASH_ATTENTION=1 和 OLLAMA_KV_CACHE_TYPE=q8_0 也可能有效。`,

  'miss.tools': () => 'gopi 更改了工具：其后的内容都已重新读取',
  'miss.system': () => 'gopi 更改了系统消息：其后的内容都已重新读取',
  'miss.message': ({ index, role }) => `gopi 更改了第 ${index} 条消息（${role}）：其后的内容都已重新读取`,
  'miss.reloaded': () => '模型重新加载过：服务器已忘记这段对话',
  'miss.besides': () => '其间有一段旁支对话用过该模型：服务器重新读取了这段对话',
  'miss.unknown': () => '服务器重新读取了这段对话：其间可能有别的程序用过该模型',

  'model.substitute': ({ wanted, used }) => `未安装 ${wanted}，改用 ${used}。`,
  'model.changed': ({ before, model, tokens: read }) =>
    `由 ${model} 接替 ${before} 继续：它需要先读取此前的对话，约 ${tokens(read)} 个 token。`,
  'model.gone': ({ model }) => `本会话此前使用的模型 ${model} 已不再安装；改用另一个模型继续。`,
  'no_model.other_provider': ({ model, provider }) =>
    `${model} 不是提供方 ${provider} 的模型：请写作 ${provider}/MODEL。`,
  'pool.moved': ({ reason, name }, say) => `${say(reason)}改由 ${name} 继续。`,
  'pool.midway': ({ reason }, say) => `${say(reason)}已说的内容会保留：由池中的另一台服务器接着继续。`,
  'no_tools.from_text': ({ model }) => `${model} 自身不支持工具调用；gopi 从文本中读取它的调用（react）。`,
  no_thinking: ({ model }) => `${model} 不支持思考；将不思考继续。`,
}
