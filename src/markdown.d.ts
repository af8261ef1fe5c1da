// prompts/*.md are imported as text: the bundler inlines them, test/support/markdown.mjs does it for the tests.
declare module '*.md' {
  const text: string
  export default text
}
