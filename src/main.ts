/** The front door. What needs no module answers before any is loaded; everything else goes to cli/main.ts. */
import { endWithOutput } from './cli/stdout.ts'
import { BRIDGE, bridge } from './sandbox/bridge.ts'
import { paintSkeleton } from './tui/window/skeleton.ts'
import { languageOf } from './words/locale.ts'

const argv = process.argv.slice(2)
const isEnglish = languageOf('auto', process.env) === 'en'

if (process.env.GOPI_SINGLE && argv[0] === BRIDGE) {
  bridge(require, argv.slice(1))
} else if (argv.length === 1 && argv[0] === '--version') {
  endWithOutput()
  process.stdout.write(`gopi ${process.env.GOPI_VERSION}\n`)
} else if (argv.length === 1 && (argv[0] === '--help' || argv[0] === '-h') && isEnglish) {
  endWithOutput()
  process.stdout.write(process.env.GOPI_HELP ?? '')
} else {
  const skeleton = paintSkeleton(argv, process.env)
  import('./cli/start.ts')
    .then(({ start }) => start(argv, skeleton))
    .catch((error: Error) => {
      // The program itself could not be read, so there are no words but these.
      skeleton?.leave()
      process.stderr.write(`gopi: The program cannot be loaded: ${error.message}.\n`)
      process.exitCode = 1
    })
}
