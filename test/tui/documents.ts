/** Markdown as models write it, made by chance: the same for the same seed. */

const WORDS =
  'the agent reads a file and edits code with care since latency matters when tokens stream'.split(' ')
const HAN = '智能体读取文件然后修改代码因为延迟比风格更重要'

/** Numbers from 0 up to 1. */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export function documentOf(seed: number, blocks: number): string {
  const random = chance(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const times = (count: number, make: (index: number) => string): string[] =>
    Array.from({ length: count }, (_, index) => make(index))
  const pick = (choices: readonly string[]): string => choices[below(choices.length)] ?? ''
  const word = (): string => {
    const plain = pick(WORDS)
    const link = `[${plain}](https://example.com/${plain})`
    const dressed = [`**${plain}**`, `\`${plain}\``, `*${plain}*`, link, `${plain}.`, '👩‍💻']
    return below(8) === 0 ? pick(dressed) : plain
  }
  const words = (count: number): string => times(count, word).join(' ')
  const han = (count: number): string => times(count, () => HAN[below(HAN.length)] ?? '').join('')
  const code = (count: number): string[] =>
    times(count, index =>
      pick(['', `  const ${pick(WORDS)}${index} = "${pick(WORDS)}"`, '\tif (a < b) {', '}']),
    )
  const items = (count: number, sign: (index: number) => string, gap: string): string =>
    times(
      count,
      index => `${sign(index)} ${words(1 + below(12))}${below(6) === 0 ? under(sign(index)) : ''}`,
    ).join(gap)
  const under = (sign: string): string => {
    const indent = ' '.repeat(sign.length + 1)
    const nested = [
      `- ${words(3)}\n${indent}- ${words(2)}`,
      `\`\`\`js\n${indent}run()\n\n${indent}end()\n${indent}\`\`\``,
    ]
    return `\n${indent}${pick(nested)}`
  }
  const row = (): string => `| ${words(1 + below(4))} | ${han(1 + below(6))} | ${below(1000)} |`
  const table = (rows: number): string =>
    ['| one | 二 | three |', '|:--|:-:|--:|', ...times(rows, row)].join('\n')
  const makers = [
    () => words(10 + below(50)),
    () => `${words(8)}\n${words(5)}`,
    () => `${han(30 + below(40))}。`,
    () => `${'#'.repeat(1 + below(4))} ${words(4)}\n${words(6)}`,
    () => `${words(3)}\n${pick(['===', '---'])}`,
    () => `${words(4)}:\n${items(2 + below(5), () => '-', '\n')}`,
    () => items(5 + below(30), () => '*', '\n'),
    () => items(3 + below(20), index => `${index + 1}.`, pick(['\n', '\n\n'])),
    () => `\`\`\`${pick(['ts', 'py', ''])}\n${code(3 + below(20)).join('\n')}\n\`\`\``,
    () => `${words(3)}\n~~~\n${code(60 + below(150)).join('\n')}\n~~~`,
    () => times(2 + below(4), () => `> ${words(8)}`).join('\n>\n'),
    () => table(below(8)),
    () => table(30 + below(60)),
    () => pick(['---', '***', '<details>\n<summary>more</summary>', '<!-- a\n\nb -->']),
    () => times(3, () => `    ${words(3)}`).join('\n'),
  ]
  return times(blocks, () => makers[below(makers.length)]?.() ?? '').join('\n\n')
}
