/** Changing files: creating one, replacing a text in one. */
import { failed, plainFile } from './look.ts'
import type { Desk, Skill, Task } from './task.ts'
import { firstMatch, PATH, withoutEnd } from './words.ts'

export const createFile: Skill = (words, desk) => {
  const found = firstMatch(words, [
    new RegExp(
      String.raw`^(?:create|make|write|add)\s+(?:a\s+)?(?:new\s+)?(?:file\s+)?(?:named\s+|called\s+)?(?<path>${PATH})\s+(?:with|containing|saying|that (?:says|contains))\s+(?:the\s+)?(?:contents?\b|text\b|line\b|lines\b)?:?\s*(?<text>[\s\S]+)$`,
      'i',
    ),
    new RegExp(
      String.raw`^(?:create|make|write|add)\s+(?:a\s+)?(?:new\s+)?(?:file\s+)?(?<path>${PATH})\s*[:：]\s*(?<text>[\s\S]+)$`,
      'i',
    ),
    new RegExp(
      String.raw`^(?:write|put|save)\s+(?<text>[\s\S]+?)\s+(?:to|into|in)\s+(?:a\s+)?(?:new\s+)?(?:file\s+)?(?:named\s+|called\s+)?(?<path>${PATH})$`,
      'i',
    ),
    new RegExp(
      String.raw`^(?:创建|新建|建立|写)(?:一个)?(?:新)?(?:的)?(?:文件)?\s*(?:叫|名为)?\s*(?<path>${PATH})\s*(?:文件)?[，,]?\s*(?:文件)?(?:里面)?(?:的)?(?:内容)?(?:为|是|写入|写上|写|包含)?[：:]?\s*(?<text>[\s\S]+)$`,
    ),
  ])
  if (!found?.path || !found.text) return undefined
  return creating(
    { path: found.path, content: found.text.endsWith('\n') ? found.text : `${found.text}\n` },
    desk,
  )
}

function* creating({ path, content }: { path: string; content: string }, desk: Desk): Task {
  const [text = ''] = yield [desk.call('write', { path, content })]
  if (!/^(Created|Replaced|Wrote)|has this content already/.test(text)) return failed(text, desk)
  const lines = content.split('\n').length - 1
  return desk.say(
    `Done: \`${path}\` now holds ${lines} ${lines === 1 ? 'line' : 'lines'}.`,
    `完成：\`${path}\` 现在有 ${lines} 行。`,
  )
}

export const replaceText: Skill = (words, desk) => {
  const found = firstMatch(withoutEnd(words), [
    new RegExp(
      String.raw`^(?:replace|change|rename|substitute)\s+(?:the\s+(?:text|word)\s+)?(?<old>.+?)\s+(?:by|with|to|into)\s+(?<next>.+?)\s+in\s+(?:the\s+)?(?:file\s+)?(?<path>${PATH})$`,
      'i',
    ),
    new RegExp(
      String.raw`^in\s+(?:the\s+)?(?:file\s+)?(?<path>${PATH})[,\s]+(?:replace|change|rename|substitute)\s+(?<old>.+?)\s+(?:by|with|to|into)\s+(?<next>.+)$`,
      'i',
    ),
    new RegExp(
      String.raw`^(?:把|将|在)\s*(?<path>${PATH})\s*(?:文件)?(?:里面|里边|里|中)(?:的)?\s*[，,]?\s*(?:把|将)?\s*(?<old>.+?)\s*(?:全部)?(?:改成|改为|替换成|替换为|换成|换为)\s*(?<next>.+)$`,
    ),
    new RegExp(
      String.raw`^(?:把|将)\s*(?<old>.+?)\s*(?:改成|改为|替换成|替换为|换成|换为)\s*(?<next>.+?)\s*[，,（(]?\s*(?:在)\s*(?<path>${PATH})\s*(?:文件)?(?:里面|里|中)?[）)]?$`,
    ),
  ])
  return found?.path && found.old
    ? replacing({ path: found.path, old: found.old, next: found.next ?? '' }, desk)
    : undefined
}

function* replacing({ path, old, next }: { path: string; old: string; next: string }, desk: Desk): Task {
  const [text = ''] = yield [desk.call('read', { path })]
  const content = plainFile(text).join('\n')
  if (content === '') return failed(text, desk)
  const times = content.split(old).length - 1
  if (times === 0) {
    return desk.say(
      `There is no “${old}” in \`${path}\`, so I changed nothing.`,
      `\`${path}\` 里没有“${old}”，我没有改动。`,
    )
  }
  const [edited = ''] = yield [desk.call('edit', { path, old, new: next, all: times > 1 ? true : undefined })]
  if (!/^Edited /.test(edited)) return failed(edited, desk)
  return desk.say(
    `Done: “${old}” is “${next}” now, ${times === 1 ? 'in one place' : `in ${times} places`} of \`${path}\`.`,
    `完成：\`${path}\` 中的“${old}”已改成“${next}”，共 ${times} 处。`,
  )
}
