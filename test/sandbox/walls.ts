/** Why a test that needs a sandbox cannot run here. */
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSandbox } from '../../src/sandbox/sandbox.ts'

const nowhere = path.join(tmpdir(), 'gopi-nowhere')

/** undefined: there is one that holds. */
export const noWall: string | undefined = await createSandbox({
  ...{ project: import.meta.dirname, home: nowhere, gopiHome: nowhere },
  ...{ env: process.env, network: [] },
}).problem('sandbox-read')
