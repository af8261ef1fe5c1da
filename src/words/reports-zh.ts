import { count } from '../text/truncate.ts'
import { partInChinese } from './problem-zh.ts'
import type { Reports } from './reports-en.ts'

/** By what gopi says of a family in English. */
const FAMILIES: Readonly<Record<string, string>> = {
  'often writes calls as bare JSON text instead of its template’s tags; gopi reads those':
    '常把调用写成裸 JSON 文本，而不用模板规定的标签；gopi 能读懂',
  'writes calls as <function=…> elements, which the server or gopi reads; does not think':
    '用 <function=…> 元素写调用，由服务器或 gopi 读取；不思考',
  'thinks unless it is told not to': '除非要求不思考，否则会思考',
  'calls tools since 3.1; 3.2 is too small to choose among many, and gopi reads calls written as bare JSON':
    '3.1 起能调用工具；3.2 太小，难以在许多工具中选择；写成裸 JSON 的调用 gopi 也能读懂',
  'made for agents; writes calls as Mistral’s other models do':
    '为代理而训练；写调用的方式与 Mistral 的其他模型相同',
  'writes calls after [TOOL_CALLS], which the server or gopi reads':
    '在 [TOOL_CALLS] 之后写调用，由服务器或 gopi 读取',
  'thinks; a thought whose opening tag the template wrote is told from the answer':
    '会思考；开头标签由模板写出的思考也能与回答区分',
  'its template knows no tools: calls travel as ReAct text': '其模板不含工具：调用以 ReAct 文本传递',
  'writes calls as functools[…], which the server or gopi reads':
    '用 functools[…] 写调用，由服务器或 gopi 读取',
  'was not trained to use tools, its template knows none: calls travel as ReAct text':
    '没有受过使用工具的训练，模板也不含工具：调用以 ReAct 文本传递',
  'writes calls in <tool_call> tags, which the server or gopi reads':
    '在 <tool_call> 标签中写调用，由服务器或 gopi 读取',
  'writes calls after <|tool_call|> or <tool_call>, which the server or gopi reads':
    '在 <|tool_call|> 或 <tool_call> 之后写调用，由服务器或 gopi 读取',
  'always thinks, in levels: true and false are ignored, and low is the fastest':
    '总会思考，分级别：忽略 true 和 false，low 最快',
}

export const REPORTS_ZH: Reports = {
  config: {
    head: '先是默认值，然后依次是以下文件、环境变量和命令行选项；后者优先：',
    absent: '不存在',
    from: {
      default: '默认值',
      user: '用户配置',
      project: '项目配置',
      environment: '环境变量',
      flag: '命令行',
      caller: '调用方',
    },
    same: file => `${file} 中已是如此。`,
    written: file => `已写入 ${file}。`,
  },
  models: {
    none: model => `还没有安装任何模型，可用 \`ollama pull ${model}\` 安装。`,
    context: tokens => `上下文 ${tokens}`,
    loaded: '已加载',
    fits: '放得下',
    tooBig: '太大',
    fitsWith: tokens => `上下文 ${tokens} 时放得下`,
    can: '能力',
    trained: '训练时的上下文',
    untold: '服务器未说明',
    unset: '无',
    modelsOwn: '模型自带',
    builtIn: '内置',
    family: why => FAMILIES[why] ?? why,
  },
  sessions: {
    none: '此目录还没有会话。',
    noneAtAll: '还没有会话。',
    noSuch: '没有这样的会话，未删除任何内容。',
    one: id => `会话 ${id}`,
    several: sessions => `${count(sessions)} 个会话`,
    sure: what => `要永久删除（${what}）吗？（y/n）`,
    deleted: sessions => `已删除 ${count(sessions)} 个会话。`,
    isOpen: (id, process) => `会话 ${id} 正在另一个 gopi 中使用（进程 ${process}），未删除。`,
  },
  mcp: {
    none: '没有配置 MCP 服务器；可用 `gopi mcp add NAME -- COMMAND…` 添加。',
    unseen: '尚未连接过',
    dead: (name, why) => `${name}：${partInChinese(why)}`,
    tools: (tools, tokens) => `${tools} 个工具（${tokens} 个 token）`,
    ready: (ms, tools) => `${ms} 毫秒后就绪；${tools}`,
    onlyReads: '自称只读取',
    prompt: '提示词',
    resources: '资源',
    tryIt: name => `可用 \`gopi mcp test ${name}\` 试一试。`,
  },
  demo: {
    serves: host => `gopi 的演示（脚本，不是语言模型）按 Ollama 的方式在 ${host} 提供服务，按 Ctrl+C 结束。`,
    tryIt: host => `试试：OLLAMA_HOST=${host} gopi`,
    aborted: '已中断',
    loaded: '模型已加载',
    seconds: seconds => `${seconds} 秒`,
    prompt: (tokens, cached, read) =>
      `提示词 ${count(tokens)} 个 token，缓存 ${count(cached)}，读取 ${count(read)}`,
    generated: tokens => `生成 ${count(tokens)}`,
    line: (head, facts) => `${head}：${facts.join('；')}`,
  },
}
