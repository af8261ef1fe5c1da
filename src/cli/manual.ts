/** The manual page, gopi(1), made by the build from the tables that help is made from. */
import type { Option, Options } from './option.ts'
import { COMMANDS, type CommandEntry, runOptions } from './options.ts'

/** In the language of man(7); a newline at the end. */
export function manualPage(version: string): string {
  return `${[
    `.TH GOPI 1 "" "gopi ${roff(version)}"`,
    '.SH NAME',
    'gopi \\- a coding assistant for the terminal that works with a local model, by Ollama',
    '.SH SYNOPSIS',
    '.B gopi',
    '[options] [prompt ...]',
    '.br',
    '.B gopi \\-p',
    '[options] [prompt ...]',
    '.br',
    '.B gopi',
    'COMMAND [options]',
    '.SH OPTIONS',
    ...table(runOptions),
    '.SH COMMANDS',
    ...Object.entries<CommandEntry>(COMMANDS).flatMap(
      ([name, { text, usage = '[options]', options, example }]) => [
        `.SS "gopi ${roff(name)} ${roff(usage)}"`,
        roff(text),
        ...(example === undefined ? [] : ['.PP', 'Example:', '.PP', '.nf', roff(example), '.fi']),
        ...table(options),
      ],
    ),
    '.SH FILES',
    '.TP',
    '.I ~/.gopi/config.yaml',
    'yours; every key is explained in config.example.yaml',
    '.TP',
    '.I .gopi/config.yaml',
    'the project\\(cqs; only stricter permissions until the folder is trusted',
    '.SH EXIT STATUS',
    '0 done, 1 the run ended in an error, 2 bad arguments or configuration, 3 no Ollama or no such model, 4 turn limit or repeat guard, 5 a call was denied because nobody could be asked, 130 interrupted.',
  ].join('\n')}\n`
}

const table = (options: Options): string[] =>
  Object.values(options).flatMap((option: Option<unknown>) => [
    '.TP',
    `.B ${roff(option.names.join(', '))}${value(option)}`,
    roff(option.help),
  ])

function value({ takes, label }: Option<unknown>): string {
  const text = roff(label)
  return { nothing: '', next: ` ${text}`, word: ` [${text}]`, equals: `[=${text}]` }[takes]
}

/** A line may not begin with a sign of roff's. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', '\\(cq')
    .replace(/^[.']/, '\\&$&')
}
