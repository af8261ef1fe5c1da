/** The keys that fit the moment, in the row above the prompt while nothing else is told there. */
import { cut, displayWidth } from '../text/width.ts'
import type { Words } from '../words/words.ts'
import { type Action, type Keymap, keyOf } from './keymap.ts'
import type { Line } from './line.ts'
import type { State } from './state.ts'

/** As many as fit into the width, those that matter most first. */
export function hintLine(
  state: State,
  width: number,
  { words, keymap }: { words: Words; keymap: Keymap },
): Line {
  let text = ''
  for (const [key, does] of hintsFor(state, words, action => keyOf(keymap, action))) {
    if (key === '') continue
    const more = `${text === '' ? '' : ' · '}${key} ${does}`
    if (displayWidth(text + more) > width) break
    text += more
  }
  return text === '' ? [] : [{ text: cut(text, width), style: 'muted' }]
}

type Hint = readonly [key: string, does: string]

function hintsFor(
  { editor, outline, completion, panel, dialog }: State,
  { hints }: Words,
  key: (action: Action) => string,
): readonly Hint[] {
  if (panel || dialog) return []
  if (outline) {
    return [
      [key('send'), hints.unfold],
      ['c', hints.copy],
      [key('stop'), hints.back],
    ]
  }
  if (completion) return [[key('complete'), hints.complete]]
  if (editor.text !== '') {
    return [
      [key('send'), hints.send],
      [key('newline'), hints.newline],
      [key('edit_outside'), hints.editor],
    ]
  }
  return [
    [key('palette'), hints.all],
    ['/', hints.commands],
    ['@', hints.files],
    ['!', hints.shell],
    [key('change_mode'), hints.mode],
    [key('help'), hints.help],
  ]
}
