/** Replaces `whatwg-fetch` in the bundle: the ollama package imports it, and is given a `fetch` of our own. */
export {}
