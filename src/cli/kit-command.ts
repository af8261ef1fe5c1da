/** `gopi kit`, `gopi skills`, `gopi extensions`: what a session in this directory would have loaded. No server is started. */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { baseSources } from '../assembly/base.ts'
import { sourcesOf } from '../assembly/sources.ts'
import { trustOf } from '../assembly/trust.ts'
import { gopiHome } from '../config/home.ts'
import { kitOf } from '../kit/kit.ts'
import { type KitView, kitText, kitView } from '../kit/view.ts'
import { openRemembered } from '../memory/remembered.ts'
import { escapeJson, sanitize } from '../text/sanitize.ts'
import { loadWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import type { KitCommand } from './args.ts'
import { configFor } from './config-for.ts'
import { say } from './say.ts'

export async function kitCommand({ json, ...command }: KitCommand): Promise<number> {
  const env = process.env
  const home = gopiHome(env)
  const cwd = realpathSync(process.cwd())
  const trusted = command.trust ?? trustOf(home, cwd) ?? false
  const config = await configFor(command)
  const more = await sourcesOf({
    ...{ config, home, cwd, env, trusted, person: env.HOME ?? homedir() },
    remembered: openRemembered(home),
  })
  const sources = await baseSources(config.config.tools, { more })
  const view = part(command.kind, await kitView(kitOf(sources)))
  const words = await loadWords(languageOf(config.config.tui.language, env))
  const text = json ? escapeJson(JSON.stringify(view, null, 2)) : sanitize(kitText(view, words))
  if (text === '' && command.kind !== 'kit') say(words.kit.none[command.kind])
  else process.stdout.write(`${text}\n`)
  return 0
}

/** What of it was asked for. */
function part(kind: KitCommand['kind'], view: KitView): KitView {
  if (kind === 'kit') return view
  const none = { tools: [], commands: [], skills: [], agents: [], states: [] }
  const { skills, states, refused } = view
  if (kind === 'skills')
    return { ...none, skills, refused: refused.filter(({ code }) => /^(clash|kit_file|skills)$/.test(code)) }
  return {
    ...none,
    states: states.filter(({ from, name }) => from === name),
    refused: refused.filter(({ code }) => code === 'extension'),
  }
}
