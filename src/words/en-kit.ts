/** What `/kit` and `/mcp` say. */

export interface ServerRow {
  name: string
  state: string
  why?: string
  ms?: number
  /** That it offers. */
  tools: number
  /** That stand in the prompt, and what these cost of it. */
  told: number
  tokens: number
  /** That only read, as it says itself. */
  readOnly: number
  prompts: number
  resources: boolean
  from: string
}

export const EN_KIT_VIEW = {
  does: 'what is loaded, from where, and what it costs',
  mcp: 'the MCP servers, and what their tools cost',
  tools: 'Tools',
  commands: 'Commands',
  skills: 'Skills',
  agents: 'Agents',
  running: 'Servers, hooks, extensions',
  hooks: 'the hooks, and how long each took',
  refused: 'Left out',
  /** Of what was asked for alone. */
  none: { skills: 'There are no skills here.', extensions: 'No extension is configured.' },
  tokens: (tokens: number) => `${tokens} tokens`,
  milliseconds: (ms: number) => `${ms} ms`,
  states: {
    idle: 'not started yet',
    starting: 'starting',
    ready: 'ready',
    waiting: 'ended, will be started again',
    dead: 'cannot be used',
    closed: 'closed',
  },
  server: ({ name, state, why, ms, tools, told, tokens, readOnly, prompts, resources, from }: ServerRow) =>
    [
      `${name}: ${state}${why === undefined ? '' : ` (${why})`}${ms === undefined ? '' : ` in ${ms} ms`}`,
      `${tools} tools, ${told} in the prompt (${tokens} tokens)${told < tools ? ', the rest by mcp_search' : ''}`,
      ...(readOnly > 0 ? [`${readOnly} only read, it says`] : []),
      ...(prompts > 0 ? [`${prompts} prompts (/mcp__${name}__…)`] : []),
      ...(resources ? [`resources (@${name}:…)`] : []),
      from,
    ].join(' · '),
}
