import type { Offered } from '../source.ts'
import { kitText, kitView } from '../view.ts'
import type { Command } from './command.ts'

/** What is loaded, from where, and what it costs. */
export const kitCommand = (kit: Offered): Command => ({
  name: 'kit',
  words: ({ kit }) => ({ does: kit.does }),
  needs: ['work'],
  run: host => host.work(async ({ show, words }) => show(kitText(await kitView(kit), words))),
})
