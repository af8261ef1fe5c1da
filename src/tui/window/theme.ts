/** The themes that a person may choose: `system` is dark or light, as the terminal's background says. */
export const THEMES = ['dark', 'light', 'system'] as const

export type ThemeName = (typeof THEMES)[number]
