/**
 * How gopi and its bash talk: pure text in, bytes out, tested without a process.
 *
 * Bash reads a script from its standard input and answers on a descriptor that commands do not have. A command
 * is one quoted word for `eval`, so that a syntax error, an open quote or an open heredoc ends with it. The
 * answer carries a token that bash has not yet read while the command runs. What `eval` is started with:
 *
 * - `!` keeps a last status that is not 0 from ending the shell under `set -e`, while inside `eval` `set -e`
 *   works as ever; PIPESTATUS still has the status. For that -e must be off out here, so the epilogue takes it
 *   away and the next command starts by setting it again; so with -v and -x, which would show that very start.
 * - Output and errors of everything out here (traces, DEBUG traps) go to /dev/null: only `eval` is redirected.
 * - `\builtin` passes by aliases and functions of the same names.
 *
 * Everything is bash 3.2.
 */
import { closeDescriptors } from '../text/close-descriptors.ts'
import { shellWord } from '../text/shell-word.ts'

/** The descriptor of the answers: above those of one digit, which commands use, and below any `ulimit -n`. */
const CONTROL = 29

/** What bash says after a command. */
export interface Frame {
  status: number
  /** `$-` as the command left it. */
  flags: string
  /** undefined when bash does not know where it is. */
  cwd: string | undefined
  /** Where a line in a child of bash has gone to. */
  moved?: string
}

/**
 * What bash knows by name, since it reads its script byte by byte. Read-only, so that no command takes it away; and
 * of no use to one, which has no descriptor to answer on.
 *
 * `__gopi_at DIRECTORY`: into it, where bash is not there already.
 *
 * `__gopi_end STATUS TOKEN [-]`: the answer, and behind it the exported variables (not with `-`): they are a write for
 * each line, and only who takes them elsewhere waits for them.
 *
 * Before the first quote a second syntax error follows upon one (status 2) in the command: it sets bash 5.2's
 * parser to rights, which after `echo $(` counts its open quotes from -1 and writes there, and which after an
 * open quote takes `!` for a command's name.
 */
const WORDS = `__gopi_at() { [[ . -ef $1 ]] || \\builtin cd -- "$1" >/dev/null;}
__gopi_end() { (($1-2))||! \\builtin eval \\)
! \\unset -f builtin
{ ! \\builtin printf '=%s ' $2
\\builtin pwd
\\builtin printf '\\0%s %s %s\\0' $2 $1 "$-"
\\builtin set +evx
[[ -n \${3-} ]] || \\builtin declare -px
\\builtin printf '\\0';} >&${CONTROL};}
\\builtin readonly -f __gopi_at __gopi_end
`

/** What gopi itself was given by whoever started it, no command gets: a directory among it would lead out of a sandbox. */
const CLOSE_OTHERS = closeDescriptors([CONTROL])

/**
 * The first words to a new bash, which has the answers on descriptor 3 and the lifeline on 4. The status in its
 * answer is the pid of the watchdog: a process in bash's group that ends the group when the lifeline breaks, so
 * that a gopi killed with -9 leaves nothing behind even while a command runs. As long as it lives the group's
 * number cannot become somebody else's. It is no child of bash: `wait` would wait for it.
 * `guarded`: somebody else sees to that, and there is none (0).
 */
export function bootstrap(
  token: string,
  directory: string,
  { restore, guarded }: { restore: string; guarded: boolean },
): Buffer {
  const watchdog = [
    "\\builtin trap '' TERM HUP INT QUIT PIPE",
    '\\builtin read -r line',
    '\\builtin kill -TERM -$$',
    '\\builtin command -p sleep 1',
    `\\builtin command -p rm -rf ${shellWord(directory)}`,
    '\\builtin kill -KILL -$$',
  ].join(';')
  const pid = `\\builtin printf '\\0%s %s -\\0\\0' ${token} "\${!:-0}" >&${CONTROL}`
  const guard = guarded ? '' : `(${watchdog}) <&4 4<&- ${CONTROL}>&- & `
  return Buffer.concat([
    Buffer.from(`exec ${CONTROL}>&3 3>&-;( ${guard}${pid});\n${WORDS}`),
    Buffer.from(`exec 4<&-;${CLOSE_OTHERS};\\builtin eval ${shellWord(restore)}\n`, 'latin1'),
  ])
}

/** Makes a named pipe. `command -p` finds mkfifo whatever PATH has become; where it knows no better, PATH does. */
export function makePipe(token: string, path: string): string {
  const make = `mkfifo -m 600 ${shellWord(path)}`
  return `\\builtin command -p ${make} || \\builtin command ${make};__gopi_end $? ${token}\n`
}

export interface CommandFrame {
  token: string
  /** The named pipe for output and errors. */
  pipe: string
  /** What `$?` is at the start, and the flags: those of the answer before. */
  status: number
  flags: string
  /** Shell text of gopi's own that goes before: into a directory, with variables. */
  enter?: string
}

/** A command as bash is to read it. It must not hold a NUL: bash would drop it. */
export function encodeCommand(command: string, { token, pipe, status, flags, enter }: CommandFrame): string {
  const again = flags.replace(/[^evx]/g, '')
  // With flags to set first, `$?` is theirs.
  const before = status === 0 ? '' : `(\\builtin exit ${status})\n`
  const word = shellWord(again === '' ? command : `\\builtin set -${again};${command}`)
  return (
    `${enter === undefined ? '' : `${enter}\n`}${before}! \\builtin eval ${word} </dev/null >|${shellWord(pipe)} 2>&1 ${CONTROL}>&-\n` +
    `__gopi_end \${PIPESTATUS[0]} ${token}\n`
  )
}

/**
 * A line as bash is to run it in a child: whatever it does ends with it. The child's descriptors are the pipe and
 * nothing else; only of a line that goes somewhere (`cd`) does gopi's own last word say where to, with the token.
 */
export function encodeChild(line: string, { token, pipe, enter = ':' }: CommandFrame): string {
  const run = `\\builtin eval ${shellWord(line)}`
  const say = `\\builtin printf '\\0@%s %s\\0' ${token} "$PWD" >&${CONTROL}`
  const child = /\bcd\b/.test(line)
    ? `( ${enter} && { ${run} ${CONTROL}>&-;__gopi=$?;${say};\\builtin exit $__gopi;} )`
    : `( ${enter} && ${run} ) ${CONTROL}>&-`
  return `${child} </dev/null >|${shellWord(pipe)} 2>&1\n__gopi_end \${PIPESTATUS[0]} ${token} -\n`
}

/**
 * Reads bash's answers: fields that end in NUL. One that starts with the token is an answer, the one before it
 * the directory, the one after it the exported variables. The directory carries the token too: a background child of an
 * earlier command may still have the descriptor, and what it says is nothing.
 */
export class FrameReader {
  #rest = ''
  #before = ''
  #moved: string | undefined
  /** The next field is the exports of the answer that was last given. */
  #isOwing = false
  #exports: string | undefined

  /** The newest `declare -px`, to be read as data. Bytes, as latin1. */
  get exports(): string | undefined {
    return this.#exports
  }

  /** An answer has been given, and its exports have not come yet. */
  get isOwing(): boolean {
    return this.#isOwing
  }

  /** The answer with this token, when these bytes complete it. */
  push(chunk: Buffer, token: string | undefined): Frame | undefined {
    let frame: Frame | undefined
    const fields = (this.#rest + chunk.toString('latin1')).split('\0')
    this.#rest = fields.pop() ?? ''
    for (const field of fields) {
      if (this.#isOwing) {
        this.#exports = field === '' ? this.#exports : field
        this.#isOwing = false
      } else if (token !== undefined && field.startsWith(`${token} `)) {
        const [, status, flags = ''] = field.split(' ')
        const mark = `=${token} `
        const at = this.#before.lastIndexOf(mark)
        const cwd = at < 0 ? undefined : directory(this.#before.slice(at + mark.length))
        frame = { status: Number(status), flags, cwd }
        if (this.#moved !== undefined) frame.moved = this.#moved
        this.#moved = undefined
        this.#isOwing = true
      } else if (token !== undefined && field.startsWith(`@${token} `))
        this.#moved = directory(field.slice(token.length + 2))
      else this.#before = field
    }
    return frame
  }
}

/** What `pwd` has said. Without a slash at its start, somebody else's bytes are before it. */
function directory(latin1: string): string | undefined {
  const text = Buffer.from(latin1, 'latin1').toString()
  return text.startsWith('/') ? text.replace(/\n$/, '') : undefined
}
