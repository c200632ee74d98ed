// Preloaded (`node --require`) into the programs that tests start. Node 20 compiles dist/ at each start, which takes a
// third of a start's time. This file keeps V8's compiled code in the folder COMPILE_CACHE for all homes of the tests.
// Later versions of node can do that by themselves.
const fs = require('node:fs')
const Module = require('node:module')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

// Another preload may count or break calls of node:fs. It does not see these.
const { readFileSync, renameSync, statSync, writeFileSync } = fs
const folder = process.env.COMPILE_CACHE
const compile = Module.prototype._compile
const fresh = new Map()

if (folder !== undefined && Module.enableCompileCache === undefined) {
  Module.prototype._compile = function (content, path) {
    return /\/dist\/.*\.cjs$/.test(path) ? run(this, content, path) : compile.call(this, content, path)
  }
  // Otherwise the program keeps compiled code in each of the tests' homes.
  Module.enableCompileCache = () => {}
  process.on('exit', keep)
}

/** Runs a module as node does, with the cached code. */
function run(module, content, filename) {
  const cache = join(folder, `${filename}-${statSync(filename).mtimeMs}`.replaceAll('/', '%'))
  const text = Module.wrap(content.replace(/^#!.*/, ''))
  const script = new Script(text, { filename, cachedData: contentOf(cache) })
  if (script.cachedDataRejected !== false) fresh.set(cache, script)
  const require = Object.assign((name) => module.require(name), {
    resolve: (name, options) => Module._resolveFilename(name, module, false, options),
    main: process.mainModule,
    cache: Module._cache,
  })
  const { exports } = module
  return script.runInThisContext().call(exports, exports, require, module, filename, dirname(filename))
}

function contentOf(path) {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** Runs at the end, when V8 has compiled the functions that were called. */
function keep() {
  for (const [path, script] of fresh)
    try {
      const aside = `${path}-${process.pid}`
      writeFileSync(aside, script.createCachedData())
      renameSync(aside, path)
    } catch {
      // This user may not write there, or the disk is full.
      return
    }
}
