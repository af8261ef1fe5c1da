/** Greetings, questions about itself, and what is said when nothing was understood. It never passes for a model. */
import type { Desk, Skill, Task } from './task.ts'

export const introduce: Skill = {
  phrases: [
    /^(?:hi|hello|hey|thanks|thank you|help)\b|\b(?:who|what) are you|what can you do|are you an? /i,
    /^(?:你好|您好|嗨|谢谢|帮助)|你是谁|你是什么|你能做什么|怎么用/,
  ],
  task: (_, desk) => presenting(desk.say('Hello! ', '你好！'), desk),
}

/** What is said when nothing was understood. */
export const admit = (desk: Desk): Task =>
  presenting(desk.say('I did not understand that. ', '这句话我没有听懂。'), desk)

// biome-ignore lint/correctness/useYield: a task that needs no calls
function* presenting(first: string, desk: Desk): Task {
  return `${first}${whatIAm(desk)}\n\n${whatICanDo(desk)}`
}

function whatIAm(desk: Desk): string {
  return desk.say(
    "I am gopi's built-in demo: a script and no language model. I know a handful of requests, but the tools that I call really run.",
    '我是 gopi 内置的演示：只是一个脚本，不是语言模型。我只懂几种请求，但我调用的工具是真的在运行。',
  )
}

function whatICanDo(desk: Desk): string {
  return desk.say(
    `Try one of these:
- What is in this project?
- Read README.md
- Find *.ts files
- Search for TODO
- Run \`ls -la\`
- Create hello.txt with Hello, world
- Replace world by gopi in hello.txt
- Why does \`ls missing\` fail?

For a real conversation start Ollama (https://ollama.com), pull a model, and let gopi talk to that instead of this demo.`,
    `可以试试：
- 这个项目里有什么？
- 读一下 README.md
- 查找 *.ts 文件
- 搜索 TODO
- 运行 \`ls -la\`
- 创建 hello.txt，内容为 你好，世界
- 把 hello.txt 里的 世界 改成 gopi
- 为什么 \`ls missing\` 失败？

想真正对话，请启动 Ollama（https://ollama.com），下载一个模型，然后让 gopi 连接它，而不是这个演示。`,
  )
}
