/** The app on an emulated terminal, with a real session behind it and a scripted model behind that. */
import assert from 'node:assert/strict'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { App } from '../../../src/tui/app.ts'
import { ownerOf } from '../../../src/tui/asked.ts'
import { Hands, type Surroundings } from '../../../src/tui/hands.ts'
import { createKeymap } from '../../../src/tui/keymap.ts'
import { Talk, type TalkOptions } from '../../../src/tui/talk.ts'
import { EN } from '../../../src/words/en.ts'
import type { Words } from '../../../src/words/words.ts'
import { type House, type HouseOptions, openHouse, placeOf } from '../../support/house.ts'
import { type Emulator, openEmulator } from '../window/screen.ts'

export interface Stage extends Emulator {
  app: App
  house: House
  talk: Talk
  /** Presses keys, all in one read. */
  press(keys: string): void
  /** Types the text, and presses Enter when it stands in the editor. */
  enter(text: string): Promise<void>
  /** Waits until the screen is as wanted. → its rows */
  until(wanted: RegExp | ((rows: string[]) => boolean)): Promise<string[]>
  /** Waits until a question can be answered, then presses the key. */
  answer(key: string): Promise<void>
}

export interface StageOptions extends HouseOptions {
  columns?: number
  rows?: number
  around?: Partial<Surroundings>
  words?: Words
  /** The session before this one. Default: there is none. */
  previous?: TalkOptions['before']
}

/** Milliseconds after which nothing is believed to come any more. */
const patience = 20_000

export async function openStage(
  t: TestContext,
  {
    columns = 80,
    rows = 24,
    around = {},
    words = EN,
    previous = async () => undefined,
    ...options
  }: StageOptions = {},
): Promise<Stage> {
  const emulator = openEmulator({ columns, rows })
  const { input, output, text } = emulator
  const app = new App({
    ...{ input, output, env: { TERM: 'xterm-256color' }, words, keymap: createKeymap().keymap },
    ...{ theme: 'dark', mouse: false, directory: '~/work' },
    onGone() {},
    resumeCommand: () => 'gopi --resume x',
    alongside: () => [],
  })
  t.after(() => app.close())
  const house = await openHouse(t, { approve: app.asking.approve, ...options })
  const hands = new Hands(app, {
    models: async () => [],
    sessions: async () => [],
    examine: async () => '',
    copyBesides() {},
    async *listFiles() {},
    resources: () => undefined,
    recentFiles: () => [],
    ownThemes: { names: () => [], read: () => Promise.reject(new Error('none')) },
    historyFile: path.join(house.home, 'history'),
    ...{ cwd: house.cwd, home: house.home, env: {} },
    ...around,
  })
  const talk = new Talk(app, house.session, {
    others: effect => void hands.does(effect),
    branch: () => 'main',
    place: placeOf(house),
    before: previous,
    modelState: async () => undefined,
    sources: [],
  })
  t.after(() => {
    talk.stop()
    hands.close()
  })
  await house.session.connect()

  const press = (keys: string) => void input.write(keys)
  const until = async (wanted: RegExp | ((rows: string[]) => boolean)) => {
    const isThere = (shown: string[]) =>
      typeof wanted === 'function' ? wanted(shown) : wanted.test(shown.join('\n'))
    for (const end = performance.now() + patience; ; await sleep(4)) {
      const shown = await text()
      if (isThere(shown)) return shown
      if (performance.now() > end) assert.fail(`never ${wanted}:\n${shown.join('\n')}`)
    }
  }
  return {
    ...emulator,
    ...{ app, house, talk, press, until },
    async enter(words) {
      press(words)
      await until(() => app.state.editor.text.includes(words))
      press('\r')
      await until(() => !app.state.editor.text.includes(words))
    },
    async answer(key) {
      await until(() => ownerOf(app.state, performance.now()) !== undefined)
      press(key)
    },
  }
}
