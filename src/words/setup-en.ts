/** What is said while gopi finds a server and a model, loaded with it only. */
import { size } from '../text/truncate.ts'

export const SETUP_EN = {
  question: 'Set it up now?',
  offer: 'gopi can start Ollama, get a model, let you choose an installed one, or show its demo.',
  start: (program: string) => `start it: ${program} serve`,
  pull: (model: string) => `get ${model}`,
  use: (model: string) => `use ${model}`,
  demo: 'try the demo, without a model',
  leave: 'leave it',
  starting: (log: string) => `Starting Ollama; its log is ${log} …`,
  notStarted: (log: string) => `Ollama did not start; its log says why: ${log}`,
  pulling: (model: string) => `Getting ${model}; Ctrl+C stops, and the next time it goes on from there.`,
  progress: (done: number, total: number) => `${size(done)} of ${size(total)}`,
  /** Bytes a second, once they are known; `left`: a time in words. */
  speed: (speed: number | undefined, left: string | undefined) =>
    `${speed === undefined ? '' : `  ${size(speed)}/s`}${left === undefined ? '' : `  ${left} left`}`,
  still: '  nothing comes; Ollama tries again',
  stopped: 'Stopped; what has come stays.',
  ready: (model: string, host: string) => `gopi uses ${model} at ${host}.`,
  written: (file: string) => `Written to ${file}.`,
  running: 'Ollama goes on running. s stops it, any other key leaves it.',
  ended: 'Ollama is stopped.',
  stillRuns: (pid: number) => `Ollama (process ${pid}) goes on running.`,
}
