/**
 * Copying through the terminal (OSC 52): it works over ssh too, needs no program, and a terminal that does not know it
 * shows nothing.
 *
 * Measured with tmux 3.3a: with `set-clipboard on` it takes the plain sequence, even 300,000 characters, and passes it
 * on to its own terminal, so none of the wrapping in DCS is needed; with its default, `external`, it drops it, wrapped or
 * not: there tmux itself is given the text.
 */

/** Bytes. Some terminals cut off what is longer, or stop reading. */
const MOST_COPIED = 100 * 1024

/** The sequence that puts a text into the clipboard; undefined when it is too long. */
export function clipboardSequence(text: string): string | undefined {
  const bytes = Buffer.from(text)
  return bytes.length > MOST_COPIED ? undefined : `\x1b]52;c;${bytes.toString('base64')}\x07`
}
