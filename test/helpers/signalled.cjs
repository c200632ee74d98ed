// Preloaded (`node --require`): the process receives SIGHUP directly after it has started a client.
const { ChildProcess } = require('node:child_process')
const { basename } = require('node:path')

const { spawn } = ChildProcess.prototype
ChildProcess.prototype.spawn = function (options) {
  const result = spawn.call(this, options)
  if (basename(options.file) === 'claude') process.kill(process.pid, 'SIGHUP')
  return result
}
