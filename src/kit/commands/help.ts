import type { Behaviour } from './command.ts'

export const help: Behaviour<'help'> = { needs: ['help'], run: host => host.help() }
