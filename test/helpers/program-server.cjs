// Runs the built program many times in one process: program-server.ts forks it with the path of dist/bin.cjs, and of a
// file for standard input. Each run goes through the program's door with its own arguments, environment, folder and
// input, and ends as a process does, when nothing is left to wait for. The door and the files that it requires are
// evaluated again in each run. What they import stays loaded, as in `cortext mcp`, which also answers many calls.
const fs = require('node:fs')
const Module = require('node:module')
const { dirname } = require('node:path')
const { Script } = require('node:vm')
require('./clock.cjs')

const [, , BIN, INPUT] = process.argv
const DOOR = fs.realpathSync(BIN)

compileOnce()
process.on('message', begin)

function begin({ args, env, cwd, input, mark }) {
  const listeners = currentListeners()
  // The program ends when nothing but this channel is left.
  process.channel.unref()
  process.argv = [process.execPath, BIN, ...args]
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.exitCode = undefined
  giveInput(input)
  process.once('beforeExit', () => {
    removeListeners(listeners)
    for (const [path, loaded] of Object.entries(require.cache))
      if (isEntry(loaded)) delete require.cache[path]
    module.children.length = 0
    // The folder may be removed now.
    process.chdir('/')
    // The mark says that the output before it is complete.
    for (const stream of [process.stdout, process.stderr]) stream.write(mark)
    process.channel.ref()
    process.send(Number(process.exitCode ?? 0))
  })
  require(BIN)
}

/** Makes a file without a name file descriptor 0, as a shell does for a here-document. */
function giveInput(input) {
  fs.closeSync(0)
  fs.writeFileSync(INPUT, input)
  // The system gives the lowest number that is free.
  if (fs.openSync(INPUT, 'r') !== 0) throw new Error('standard input is not file descriptor 0')
  fs.unlinkSync(INPUT)
  let stream
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    get: () => {
      stream ??= fs.createReadStream('', { fd: 0, autoClose: false })
      return stream
    },
  })
}

/** Whether a module is evaluated in each run: it is the door, or the door requires it. */
function isEntry({ filename, parent }) {
  return filename === DOOR || parent?.filename === DOOR
}

/** Keeps the compiled code of the files that are evaluated in each run. */
function compileOnce() {
  const compile = Module.prototype._compile
  const scripts = new Map()
  // The program would keep compiled code in each of the tests' homes.
  Module.enableCompileCache = () => {}
  Module.prototype._compile = function (content, filename) {
    if (!isEntry(this)) return compile.call(this, content, filename)
    if (!scripts.has(filename))
      scripts.set(filename, new Script(Module.wrap(content.replace(/^#!.*/, '')), { filename }))
    const run = scripts.get(filename).runInThisContext()
    return run.call(
      this.exports,
      this.exports,
      (name) => this.require(name),
      this,
      filename,
      dirname(filename),
    )
  }
}

function emitters() {
  return [process, process.stdout, process.stderr]
}

function currentListeners() {
  return new Set(emitters().flatMap((one) => one.eventNames().flatMap((name) => one.rawListeners(name))))
}

function removeListeners(kept) {
  for (const one of emitters())
    for (const name of one.eventNames())
      for (const listener of one.rawListeners(name))
        if (!kept.has(listener)) one.removeListener(name, listener)
}
