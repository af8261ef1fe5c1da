/** What an error says; whatever else was thrown, as text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
