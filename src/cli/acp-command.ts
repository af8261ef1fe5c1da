/** `gopi acp`: gopi as an agent in an editor, over standard input and output. */
import type { House, Opened, PastOne } from '../acp/house.ts'
import { claims, rememberTrust, trustOf } from '../assembly/trust.ts'
import { keepFolderModel } from '../config/folder-model.ts'
import { gopiHome } from '../config/home.ts'
import { pastSessions, removeSession, sessionDirectories } from '../session/past.ts'
import { headOf, listSessions } from '../session/store.ts'
import { fieldsOf, parseRecord } from '../text/record.ts'
import { loadTalkWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import type { AcpCommand, RunCommand } from './args.ts'
import { say } from './say.ts'
import { listenForSignals } from './signals.ts'
import { type StartOptions, settled } from './start-options.ts'

/** Milliseconds that gopi may take to end when nothing runs any more. */
const PATIENCE = 2_000
/** Bytes of a journal in which its first line ends. */
const HEADER = 4_096

/** Until the editor is gone. → the exit code. */
export async function acpCommand(command: AcpCommand, { keepCode }: StartOptions): Promise<number> {
  const [{ serve }, { createFace }, house] = await Promise.all([
    import('../acp/wire.ts'),
    import('../acp/face.ts'),
    houseOf(command),
  ])
  const face = createFace(house)
  if (process.stdin.isTTY) say(house.own.atTerminal)
  // The editor, or the system, is ending gopi: a run that goes on is ended properly.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  const served = serve(face.handlers, { input: process.stdin, output: process.stdout })
  setTimeout(keepCode, settled).unref()
  let code = 0
  const signals = listenForSignals()
  signals.onEnd(signal => {
    code = signal
    served.close()
  })
  signals.onInterrupt(() => served.close())
  await served.closed
  await face.end()
  process.stdin.destroy()
  // A server that does not answer keeps nobody.
  setTimeout(() => process.exit(), PATIENCE).unref()
  return code
}

async function houseOf(command: AcpCommand): Promise<House> {
  const home = gopiHome(process.env)
  const language = languageOf('auto', process.env)
  const [words, own] = await Promise.all([loadTalkWords(language), ownWords(language)])
  return {
    ...{ output: process.stdout, words, own },
    open: asked => open(command, home, asked),
    async trustText(cwd, words) {
      const { trustQuestion } = await import('./trust-question.ts')
      const question = await trustQuestion({ home, cwd }, words)
      return question && [...question.about, ...question.texts].join('\n')
    },
    keepTrust: (cwd, trusted) => rememberTrust(home, cwd, trusted),
    past: cwd => past(home, cwd),
    remove: id => remove(home, id),
  }
}

const ownWords = async (language: ReturnType<typeof languageOf>) =>
  language === 'zh'
    ? (await import('../words/acp-zh.ts')).ACP_ZH
    : (await import('../words/acp-en.ts')).ACP_EN

async function open(
  { kind: _, agent: named, ...options }: AcpCommand,
  home: string,
  { resume, model, ...asked }: Parameters<House['open']>[0],
): Promise<Opened> {
  const { cwd } = asked
  const agent = 'agent' in asked ? asked.agent : named
  const command: RunCommand = {
    ...{ kind: 'run', print: false, prompt: [], ...options },
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    ...(resume !== undefined && { resume }),
  }
  const [{ begin }, { isKept }, { placeOf }] = await Promise.all([
    import('./begin.ts'),
    import('./following.ts'),
    import('./place.ts'),
  ])
  const asksTrust = command.trust === undefined && asked.trust === undefined && isUnknown(home, cwd)
  // Who will be asked need not be told before.
  const started = await begin(command, { ...asked, untrustedTold: asksTrust || asked.trust !== undefined })
  const { session, kit, config, backend, isDemo } = started
  const language = languageOf(config.config.tui.language, process.env)
  const [words, own] = await Promise.all([loadTalkWords(language), ownWords(language)])
  const { ollama, permission } = config.config
  const misses = new Set<string>()
  return {
    ...{ session, kit, words, own, model: ollama.model, place: placeOf(started) },
    think: typeof ollama.think === 'string' ? ollama.think : ollama.think ? 'on' : 'off',
    hasYolo: permission.mode === 'yolo',
    asksTrust,
    async models() {
      const { knownModels } = await import('./known-models.ts')
      return (await knownModels({ backend, config: config.config, misses })).map(({ name }) => name)
    },
    keepModel(name) {
      if (!isDemo) keepFolderModel(home, cwd, name)
    },
    examine: async () => (await import('./doctor.ts')).doctorReport(config, cwd),
    isKept: () => isKept(session),
    end: started.end,
  }
}

/** The folder brings something, and nobody has said what is to become of it. */
const isUnknown = (home: string, cwd: string): boolean =>
  trustOf(home, cwd) === undefined && claims(cwd).length > 0

function past(home: string, cwd: string | undefined): PastOne[] {
  const places = cwd === undefined ? sessionDirectories(home, undefined).flatMap(placeIn) : [cwd]
  return places
    .flatMap(place =>
      pastSessions(home, place).map(({ first: title, ...one }) => ({ ...one, title, cwd: place })),
    )
    .sort((a, b) => b.modified.getTime() - a.modified.getTime())
}

/** The directory whose sessions lie there, as the newest says. */
function placeIn(directory: string): string[] {
  const [newest] = listSessions(directory)
  const [line = ''] = newest ? headOf(newest.file, HEADER).split('\n') : []
  const { cwd } = fieldsOf(parseRecord(line))
  return typeof cwd === 'string' ? [cwd] : []
}

function remove(home: string, id: string): number | undefined {
  const found = sessionDirectories(home, undefined)
    .flatMap(listSessions)
    .find(session => session.id === id)
  return found && removeSession(found)
}
