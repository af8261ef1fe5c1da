/** What a text costs before any model was asked: about four bytes to a token. For budgets and overviews only. */
export const roughTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)
