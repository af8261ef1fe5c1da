/** `make` or `remove`: the scripted models on the server at OLLAMA_HOST. */
import { host } from './real.ts'
import { modelsOn } from './scripted-models.ts'

const models = modelsOn(host, { big: process.argv[3] === 'big' })
if (process.argv[2] === 'remove') await models.remove()
else await models.make()
