import type { EN_ASKING } from './en-asking.ts'

export const ZH_ASKING: typeof EN_ASKING = {
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
    why: why => `询问原因：${why}`,
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
      save: () => '将保存的规则（对所有项目生效）：',
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
}
