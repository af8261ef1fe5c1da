/**
 * What stands right before an `@` that names a file, as part of a regular expression: nothing, a blank, or the bracket
 * or quotes that a sentence puts around a name. Behind a letter it is an address.
 */
export const beforeMention = String.raw`(?<=^|[\s([{"'“‘（「])`
