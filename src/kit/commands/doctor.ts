import type { Behaviour } from './command.ts'

export const doctor: Behaviour<'examine'> = { needs: ['examine'], run: host => host.examine() }
