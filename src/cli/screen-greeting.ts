/** What is shown above a conversation: where gopi is, with which model, what is loaded; then what was said before. */
import type { Offered } from '../kit/source.ts'
import type { PastSession } from '../session/past.ts'
import type { App } from '../tui/app.ts'
import type { Welcome } from '../tui/cells/cell.ts'
import { type Action, keyOf } from '../tui/keymap.ts'
import { retold } from '../tui/retell.ts'
import type { Started } from './begin.ts'

export interface GreetOptions {
  /** Something of the folder is left out, since it is not trusted. */
  isWary: boolean
  /** The session before this one. */
  last: PastSession | undefined
}

/** The session has been connected. */
export function greet(app: App, started: Started, { isWary, last }: GreetOptions): void {
  const { session, config, instructions } = started
  const { setup } = session
  const { words } = app
  const key = (action: Action, does: string) => ({ key: keyOf(app.keymap, action), does })
  if (!config.config.tui.quiet_startup && setup) {
    app.settle([
      {
        type: 'welcome',
        version: process.env.GOPI_VERSION ?? '',
        model: setup.model,
        dialect: setup.dialect.name,
        directory: app.state.status.directory,
        trusted: !isWary,
        instructions: instructions.files.map((path, index) => ({
          path,
          tokens: session.textTokens(instructions.texts[index] ?? ''),
        })),
        loaded: loadedFrom(started.kit),
        ...(last &&
          session.messages.length === 0 && {
            last: {
              first: last.first,
              ago: words.ago(Date.now() - last.modified.getTime()),
              key: keyOf(app.keymap, 'go_on'),
            },
          }),
        keys: [
          key('help', words.welcome.keys.help),
          key('newline', words.welcome.keys.newline),
          key('stop', words.welcome.keys.stop),
        ],
      },
    ])
  }
  if (session.mode === 'yolo') app.say(words.notices.yolo, 'warning')
  if (session.messages.length === 0) return
  app.useMarkdown()
  app.settle(retold(session.messages, reply => session.readable(reply)))
  const newest = session.messages.at(-1)
  const isWhole = newest?.role === 'assistant' && newest.stop_reason !== 'aborted'
  if (!isWhole) app.say(words.notices.unanswered('/retry'))
}

/** Names of what was added to gopi here. */
function loadedFrom({ skills, sources }: Offered): Welcome['loaded'] {
  const states = sources.flatMap(({ from, states = () => [] }) =>
    states().map(({ name }) => ({ from, name })),
  )
  return {
    skills: skills.map(({ name }) => name),
    servers: states.flatMap(({ from, name }) => (from === `mcp:${name}` ? [name] : [])),
    extensions: states.flatMap(({ from, name }) => (from === name ? [name] : [])),
  }
}
