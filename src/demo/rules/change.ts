/** Changing files: creating one, replacing a text in one. */
import { plural } from '../../text/truncate.ts'
import { failed, plainFile } from './look.ts'
import type { Skill, Task } from './task.ts'
import { en, zh } from './words.ts'

export const createFile: Skill = {
  phrases: [
    en(
      '(?:create|make|write|add)(?: a)?(?: new)?(?: file)?(?: named| called)? <path> (?:with|containing|saying) <content>',
    ),
    zh('(?:创建|新建|写)(?:一个)?(?:新)?(?:文件)? <path> [，,]? (?:内容)?[为是]?[：:]? <content>'),
  ],
  *task({ path = '', content: given = '' }, desk): Task {
    const content = given.endsWith('\n') ? given : `${given}\n`
    const [text = ''] = yield [desk.call('write', { path, content })]
    if (!/^(Created|Replaced|Wrote)|has this content already/.test(text)) return failed(text, desk)
    const lines = content.split('\n').length - 1
    return desk.say(
      `Done: \`${path}\` now holds ${plural(lines, 'line')}.`,
      `完成：\`${path}\` 现在有 ${lines} 行。`,
    )
  },
}

export const replaceText: Skill = {
  phrases: [
    en('(?:replace|change|rename) <old> (?:by|with|to|into) <next> in(?: the)?(?: file)? <path>'),
    zh('[把将] <path> (?:文件)?(?:里面|里|中)的? <old> (?:改成|改为|替换成|替换为|换成) <next>'),
  ],
  *task({ path = '', old = '', next = '' }, desk): Task {
    const [text = ''] = yield [desk.call('read', { path })]
    const content = plainFile(text).join('\n')
    if (content === '') return failed(text, desk)
    const times = content.split(old).length - 1
    if (times === 0)
      return desk.say(
        `There is no “${old}” in \`${path}\`, so I changed nothing.`,
        `\`${path}\` 里没有“${old}”，我没有改动。`,
      )
    const [edited = ''] = yield [desk.call('edit', { path, old, new: next, all: times > 1 || undefined })]
    if (!/^Edited /.test(edited)) return failed(edited, desk)
    return desk.say(
      `Done: “${old}” is “${next}” now, in ${times === 1 ? 'one place' : `${times} places`} of \`${path}\`.`,
      `完成：\`${path}\` 中的“${old}”已改成“${next}”，共 ${times} 处。`,
    )
  },
}
