import type { Behaviour } from './command.ts'

export const stop: Behaviour<'stop'> = {
  needs: ['stop'],
  run: host => (host.running ? host.stop() : host.say(host.words.notices.nothingRunning)),
}
