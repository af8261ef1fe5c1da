/**
 * What is right before an `@` that names a file, as part of a regular expression: nothing, a space, or the bracket
 * or quotes that a sentence puts around a name. After a letter it is an address.
 */
export const beforeMention = String.raw`(?<=^|[\s([{"'“‘（「])`
