import assert from 'node:assert/strict'
import type { Command, Desk, Wanted } from '../../src/kit/commands/command.ts'
import { commandNamed, perform } from '../../src/kit/commands/obey.ts'
import { BUILT_IN } from '../../src/kit/commands/table.ts'
import { changesText } from '../../src/kit/jobs/lines.ts'
import { EN } from '../../src/words/en.ts'
import { type House, placeOf } from './house.ts'

/** Somebody at a desk who chooses and says yes; what they were shown. */
export function deskOf(house: House, answers: { choices?: string[]; sure?: boolean } = {}) {
  const shown: string[] = []
  const asked: string[] = []
  const sent: string[] = []
  const ended: Wanted[] = []
  const put: string[] = []
  const choices = [...(answers.choices ?? [])]
  const desk: Desk = {
    ...{ session: house.session, words: EN, place: placeOf(house), isTyped: true },
    show: text => void shown.push(text),
    tells(title) {
      shown.push(title)
      const pieces: string[] = []
      return {
        add: piece => void pieces.push(piece),
        end: (whole = pieces.join('')) => void (whole !== '' && shown.push(whole)),
      }
    },
    showChanges: changes => void shown.push(changesText(changes, EN)),
    say: sentence => void shown.push(sentence),
    note: sentence => void shown.push(sentence),
    refuse: sentence => void shown.push(sentence),
    async confirm(title, text) {
      asked.push(`${title}\n${text}`)
      return answers.sure ?? true
    },
    async choose(title, given) {
      asked.push([title, ...given.map(({ label, detail = '' }) => `${label} ${detail}`.trim())].join('\n'))
      const wanted = choices.shift()
      return given.find(({ label }) => label === wanted)?.id
    },
    prompt: text => void sent.push(text),
    put: text => void put.push(text),
    during(doing, run) {
      shown.push(doing)
      return run(new AbortController().signal)
    },
    runs: () => ({ signal: new AbortController().signal, onOutput() {}, end() {} }),
    lend: undefined,
    end: wanted => void ended.push(wanted),
  }
  return { desk, shown, asked, sent, ended, put }
}

/** Does what the line says. */
export async function obeyed(
  line: string,
  { desk, commands = BUILT_IN }: { desk: Desk; commands?: readonly Command[] },
): Promise<void> {
  const [, name = '', argument = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(line) ?? []
  const command = commandNamed(commands, name)
  assert.ok(command, name)
  let work: Promise<void> | undefined
  const refuse = (sentence: string) => assert.fail(sentence)
  perform(command, argument, {
    words: EN,
    running: false,
    say: refuse,
    refuse,
    work: job => void (work = job(desk)),
  })
  await work
}
