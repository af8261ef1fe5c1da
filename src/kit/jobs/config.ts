import type { Desk } from '../commands/command.ts'

/** `/config`: what is configured. */
export async function config({ place, show }: Desk): Promise<void> {
  show((await place.config()).trimEnd())
}
