import type { Behaviour } from './command.ts'

export const mouse: Behaviour<'mouse'> = { needs: ['mouse'], run: host => host.mouse() }
