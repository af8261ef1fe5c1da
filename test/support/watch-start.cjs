// Loaded with --require before gopi: writes down, into the file that GOPI_WATCH names, what its process loads and does
// until its first words for the model leave, or it ends without any. What it does later depends on how long the answer takes. CommonJS, since it must be there before the first module.
const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')
const vm = require('node:vm')

const file = process.env.GOPI_WATCH
const seen = { read: [], code: [], asked: [], spawned: [] }
let before

const readFileSync = fs.readFileSync
fs.readFileSync = (name, ...rest) => {
  if (typeof name === 'string' && name.endsWith('.cjs')) seen.read.push(path.basename(name))
  return readFileSync(name, ...rest)
}

vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options)
    seen.code.push(!options?.cachedData ? 'none' : this.cachedDataRejected ? 'rejected' : 'taken')
  }
}

const commands = ['spawn', 'spawnSync', 'exec', 'execFile', 'execSync', 'execFileSync', 'fork']
const load = Module._load
Module._load = (name, ...rest) => {
  const module = load(name, ...rest)
  if (name === 'node:child_process') watch(module, commands, seen.spawned)
  if (name === 'node:http' && !module.request.isWatched) module.request = watchRequest(module.request)
  return module
}
watch(require('node:dns'), ['lookup', 'resolve'], seen.asked)

function watch(module, names, calls) {
  for (const name of names) {
    const real = module[name]
    if (real.isWatched) continue
    const watched = (...args) => {
      calls.push(String(args[0]))
      return real(...args)
    }
    module[name] = Object.assign(watched, { isWatched: true })
  }
}

function watchRequest(request) {
  const watched = (options, ...rest) => {
    if (options.path?.endsWith('/api/chat')) before ??= soFar()
    return request(options, ...rest)
  }
  return Object.assign(watched, { isWatched: true })
}

const soFar = () => structuredClone({ ...seen, modules: modules(), zod: '__zod_globalConfig' in globalThis })

function modules() {
  return process.moduleLoadList.map(name => name.replace('NativeModule ', ''))
}

process.on('exit', () => {
  const inAll = soFar()
  fs.writeFileSync(file, JSON.stringify({ ...(before ?? inAll), inAll }))
})
