import type { Behaviour } from './command.ts'

export const copy: Behaviour<'copy'> = { needs: ['copy'], run: host => host.copy() }
