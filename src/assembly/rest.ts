/**
 * Loads what no first request needs: what reads a reply, runs its calls and words what people are told. The bundle puts
 * it here (src/bundle-late.mjs); run from the sources, everything is loaded already.
 */
export function loadRest(): void {}
