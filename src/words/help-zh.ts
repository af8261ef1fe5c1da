/** A text of --help in Chinese; one that is not among them as it came. */
export const helpInChinese = (text: string): string => HELP_ZH[text] ?? text

const HELP_ZH: Readonly<Record<string, string>> = {
  // The page.
  'gopi: a coding assistant for the terminal that works with a local model, by Ollama.':
    'gopi：终端中的编程助手，通过 Ollama 使用本地模型。',
  'A conversation in this directory; a prompt given here is sent at once.':
    '在此目录中对话；写在这里的提示词会立即发送。',
  'One run, the answer on stdout, then exit. Standard input, when it is not a terminal, is appended to the prompt.':
    '运行一次，回答写到标准输出后退出。标准输入如果不是终端，会附在提示词之后。',
  'A first word that is a command’s name is one (not after -p). After -- every word is the prompt’s.':
    '第一个词若是子命令名，就当作子命令（-p 之后除外）。-- 之后的词都属于提示词。',
  'Options:': '选项：',
  'Environment:': '环境变量：',
  'Files:': '文件：',
  'Exit codes:': '退出码：',
  'Example:': '示例：',
  'the model; --model comes before it, config files after it': '模型；--model 优先于它，它优先于配置文件',
  'the Ollama server, by Ollama’s own rules; --host comes before it':
    'Ollama 服务器，写法与 Ollama 相同；--host 优先于它',
  'where gopi keeps its files; default ~/.gopi': 'gopi 存放文件的位置；默认 ~/.gopi',
  'as --config': '同 --config',
  'as --debug': '同 --debug',
  'en or zh; tui.language comes before it, LC_ALL, LC_MESSAGES, LANG after it':
    'en 或 zh；tui.language 优先于它，它优先于 LC_ALL、LC_MESSAGES、LANG',
  'what Ctrl+G opens the prompt in; default vi': 'Ctrl+G 用来编辑提示词的编辑器；默认 vi',
  'yours; every key is explained in config.example.yaml': '你的配置；每个键的说明见 config.example.yaml',
  'the project’s; only stricter permissions until the folder is trusted':
    '项目的配置；文件夹受信任之前只能收紧权限',
  'what the model is told about the project; $GOPI_HOME has one for all':
    '告诉模型的项目说明；$GOPI_HOME 中的对所有项目有效',
  done: '完成',
  'the run ended in an error': '运行以错误结束',
  'bad arguments or configuration': '参数或配置有误',
  'no Ollama at the host, or no such model': '该地址没有 Ollama，或没有该模型',
  'ended by the turn limit, or because the model repeated itself': '达到轮数上限，或模型反复重复',
  'done, but a call was denied because nobody could be asked': '完成，但有调用因无人可询问而被拒绝',
  'interrupted (with -p)': '被中断（使用 -p 时）',
  // Options.
  'this text': '显示本文',
  'the version': '显示版本',
  'requests, timings and decisions as JSON lines in $GOPI_HOME/logs/gopi.log; of prompts only lengths and hashes':
    '把请求、耗时和决定以 JSON 行写入 $GOPI_HOME/logs/gopi.log；提示词只记长度和哈希',
  'the Ollama server': 'Ollama 服务器',
  'treat this folder as trusted for this start': '本次启动视此文件夹为受信任',
  'in place of the user’s config file': '代替用户的配置文件',
  'the model, such as qwen3:8b': '模型，例如 qwen3:8b',
  'how tool calls travel; auto asks the server what the model can do':
    '工具调用的传递方式；auto 会向服务器询问模型的能力',
  'thinking before the answer; default off, for the sake of speed': '回答前是否思考；为求速度默认 off',
  'what runs without asking; default ask': '哪些操作不询问就执行；默认 ask',
  'the same as --mode yolo': '同 --mode yolo',
  'a rule that allows, such as Bash(npm test:*); may be repeated':
    '允许规则，例如 Bash(npm test:*)；可重复给出',
  'a rule that asks': '询问规则',
  'a rule that denies': '拒绝规则',
  'run against the built-in demo server: no Ollama, no model; auto: only if no Ollama answers':
    '使用内置演示服务器，无需 Ollama 和模型；auto：仅在没有 Ollama 应答时',
  'print: one run, the answer on stdout, then exit; again: another prompt after it':
    '运行一次，回答写到标准输出后退出；再次给出：接着发送另一条提示词',
  'who gopi is: build, plan, general, explore, or one of your own':
    'gopi 的角色：build、plan、general、explore 或自定义代理',
  'told the model at the end of the system text': '附在系统提示末尾告诉模型',
  'go on with the session of this directory that was written last': '继续此目录最近的会话',
  'pick a session, or go on with this one (the start of an id is enough); the next word is the id':
    '选择会话，或继续指定的会话（id 的开头即可）；后一个词是 id',
  'a new session from a copy of this one': '以该会话的副本开始新会话',
  'keep nothing on disk': '不在磁盘上保存任何内容',
  'with -p': '与 -p 同用',
  'with -p: the answer as JSON that follows this JSON Schema': '与 -p 同用：回答为符合该 JSON Schema 的 JSON',
  'with -p; stream-json: JSON lines on standard input steer the run (prompt, steer, follow_up, abort)':
    '与 -p 同用；stream-json：用标准输入的 JSON 行控制运行（prompt、steer、follow_up、abort）',
  'with -p: runs go on until the command passes or --max-turns ends it':
    '与 -p 同用：持续运行，直到该命令成功或达到 --max-turns',
  'turns in one run; default 25 (config max_turns)': '一次运行的轮数；默认 25（配置 max_turns）',
  'line mode: for pipes, screen readers, dumb terminals': '逐行模式：用于管道、读屏软件和简单终端',
  'one JSON object': '输出一个 JSON 对象',
  'one JSON object a line': '每行输出一个 JSON 对象',
  'also measures how fast the model reads and writes: a short real request':
    '另外发出一个简短的真实请求，测量模型读写的速度',
  'of all directories': '所有目录的会话',
  'for prune: days, weeks or hours, such as 90d, 12w or 36h':
    '用于 prune：天、周或小时，例如 90d、12w 或 36h',
  'delete without asking': '不询问直接删除',
  'for add: a variable of its program; ${NAME} is one of yours': '用于 add：其程序的变量；${NAME} 是你的变量',
  'for add: a header of its requests': '用于 add：其请求头',
  'the port; default: 11435, or any free one': '端口；默认为 11435，被占用时任选空闲端口',
  'how fast it reads; default: 1500': '读取速度；默认：1500',
  'how fast it writes; default: 80': '生成速度；默认：80',
  'how long it takes to load a model; default: 300': '加载模型的时间；默认：300',
  // Commands.
  'the models that are installed': '已安装的模型',
  'Lists the models that the Ollama server has. With a NAME: what holds for that model, and why.':
    '列出 Ollama 服务器上的模型。给出 NAME 时：说明对该模型有效的设置及其来源。',
  'finds a server and a model, and offers what is missing': '寻找服务器和模型，并补上缺少的',
  'Looks for an Ollama and a model, says which one gopi uses and why, and offers what is missing: starting the server, getting a model, choosing an installed one. What you choose is written to your config.yaml. Without a terminal it only says what is missing (exit code 3).':
    '寻找 Ollama 和模型，说明 gopi 使用哪个及原因，并补上缺少的：启动服务器、获取模型、选择已安装的模型。你的选择写入 config.yaml。没有终端时只说明缺少什么（退出码 3）。',
  'whether gopi has all it needs here, and what is missing': '检查 gopi 所需是否齐全，缺少什么',
  'Looks at the server, the model, the programs, the sandbox, the terminal, the files and the folder; a line each: ok, warn or fail, with the remedy. Nothing is loaded or changed. The exit code is 1 if a line fails.':
    '检查服务器、模型、程序、沙盒、终端、文件和文件夹；每项一行：ok、warn 或 fail，并给出办法。不加载也不修改任何东西。有一项失败时退出码为 1。',
  'the sessions of this directory': '此目录的会话',
  'Lists the sessions of this directory, the last written first: how each began (or its name), when it was written last, prompts, model and the tokens in its context. Go on with one by gopi --resume ID. delete removes one for good, prune those that were last written so long ago, each with what belongs to it.':
    '列出此目录的会话，最近的在前：开头的话（或名称）、最后写入时间、提示词数、模型和上下文的 token 数。用 gopi --resume ID 继续。delete 彻底删除一个，prune 删除很久没有写入的，连同所属文件。',
  'what is configured, and where each value came from': '当前配置及每个值的来源',
  'Prints the effective configuration, where each value came from and the files looked at. Flags come before the environment (GOPI_MODEL, OLLAMA_HOST), the project’s file, the user’s file and the defaults. get prints one value of it, or a section. set writes a key to the user’s file: it shows what changes, keeps comments, and leaves the file as it was beside it (.bak).':
    '显示生效的配置、每个值的来源和查看过的文件。优先顺序：命令行选项、环境变量（GOPI_MODEL、OLLAMA_HOST）、项目的文件、用户的文件、默认值。get 显示其中一个值或一节。set 把一个键写入用户的文件：显示改动，保留注释，并在旁边留下原文件（.bak）。',
  'what gopi would do with a call, and why': 'gopi 会如何处理某个调用及原因',
  'gopi permission check TOOL ARGUMENT says what gopi would do with a call and why, and runs nothing. ARGUMENT is the command (bash), the path (read, write, edit, ls), or the arguments as a JSON object. Rules given here come on top of the configured ones.':
    '`gopi permission check TOOL ARGUMENT` 说明 gopi 会如何处理某个调用及原因，不执行任何操作。ARGUMENT 是命令（bash）、路径（read、write、edit、ls），或 JSON 对象形式的参数。这里给出的规则加在已配置的规则之上。',
  'servers of tools (MCP): list, get, add, remove, test': '工具服务器（MCP）：list、get、add、remove、test',
  'Servers of tools stand under mcp: in config.yaml, and in a trusted project’s .mcp.json. list shows them, get one of them as it is written, add and remove change your config.yaml, test starts them and lists what they offer: it is then part of the next session’s prompt.':
    '工具服务器写在 config.yaml 的 mcp: 下，或受信任项目的 .mcp.json 中。list 列出它们，get 显示其中一个的写法，add 和 remove 修改你的 config.yaml，test 启动它们并列出所提供的内容，之后这些内容会进入下一个会话的提示词。',
  'gopi in your editor, by the Agent Client Protocol (ACP)':
    '在编辑器中使用 gopi（Agent Client Protocol，ACP）',
  'Speaks the Agent Client Protocol over standard input and output, for editors that start it: Zed, Neovim, Emacs, JetBrains. Nothing listens. Sessions, permissions, trust and configuration are those of the terminal; README has the lines for each editor.':
    '通过标准输入输出使用 Agent Client Protocol，供启动它的编辑器使用：Zed、Neovim、Emacs、JetBrains。不监听任何端口。会话、权限、信任和配置与终端中相同；各编辑器的写法见 README。',
  'what a session loads, from where, and what it costs': '会话加载了什么、来自何处、占用多少',
  'Lists the tools, commands, skills, agents and servers that a session in this directory would have, from where each comes, the tokens that it takes of every prompt, and what is left out and why. No server is started; extensions are loaded, and scripts asked what they offer.':
    '列出此目录的会话会有的工具、命令、技能、代理和服务器，各自的来源、在每条提示词中占用的 token，以及略过了什么、为什么。不启动服务器；会加载扩展，并询问脚本提供什么。',
  'the skills here, and what is wrong with any': '这里的技能及其问题',
  'Lists the skills that a session in this directory would have and from where each comes, and checks them: what is left out, and why.':
    '列出此目录的会话会有的技能及其来源，并加以检查：略过了什么、为什么。',
  'the extensions that are configured': '已配置的扩展',
  'Loads the extensions of the configuration and lists them with how long each took, and names those that fail.':
    '加载配置中的扩展，列出各自的耗时，并指出失败的。',
  'a script that completes gopi’s command line in your shell': '在 shell 中补全 gopi 命令行的脚本',
  'Prints a script for your shell that completes commands, options and their values, among them installed models and sessions of the directory.':
    '输出用于你的 shell 的脚本，可补全命令、选项及其值，包括已安装的模型和此目录的会话。',
  'a server that speaks Ollama’s protocol, with a script for a model':
    '使用 Ollama 协议的服务器，以脚本充当模型',
  'Serves Ollama’s protocol on loopback until Ctrl+C, for trying gopi (or another client) without Ollama. It answers to any model name and says gopi-demo; behind it is a script and no language model.':
    '在本机回环地址上提供 Ollama 协议，按 Ctrl+C 结束，便于在没有 Ollama 时试用 gopi（或其他客户端）。它接受任何模型名，自称 gopi-demo；背后是脚本，不是语言模型。',
}
