/** `gopi doctor`, and what `/doctor` shows in a conversation. */
import { realpathSync } from 'node:fs'
import { gopiHome } from '../config/home.ts'
import type { LoadedConfig } from '../config/load.ts'
import { asJson, examine, hasPassed, report } from '../doctor/doctor.ts'
import { escapeJson, sanitize } from '../text/sanitize.ts'
import { languageOf } from '../words/locale.ts'
import type { DoctorCommand } from './args.ts'
import { configFor } from './config-for.ts'

export async function doctorCommand(command: DoctorCommand): Promise<number> {
  const loaded = await configFor(command)
  const findings = await examine(examination(loaded, command.speed === true))
  const text = command.json
    ? escapeJson(asJson(findings))
    : sanitize(await report(findings, languageOf(loaded.config.tui.language, process.env)))
  process.stdout.write(`${text}\n`)
  return hasPassed(findings) ? 0 : 1
}

/** In the language of the face. */
export async function doctorReport(loaded: LoadedConfig, cwd?: string): Promise<string> {
  const findings = await examine(examination(loaded, false, cwd))
  return report(findings, languageOf(loaded.config.tui.language, process.env))
}

function examination(loaded: LoadedConfig, speed: boolean, cwd = realpathSync(process.cwd())) {
  const { env, stdout } = process
  return { loaded, speed, home: gopiHome(env), cwd, env, terminal: stdout }
}
