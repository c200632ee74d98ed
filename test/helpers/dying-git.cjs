// Preloaded (`node --require`): the process is killed at the GIT_CALL-th git that it starts in a repository of its own
// (GIT_DIR is set). DIE_HOW says when: `before` git starts, `during` its work, together with git and the processes that
// git has started, or `after` it, before the program knows. These names do not begin with GIT_, so every git gets them.
const processes = require('node:child_process')
const fs = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

const { DIE_AT_GIT, DIE_HOW, DIE_AFTER_MS } = process.env
const { spawnSync, spawn } = processes
let calls = 0

processes.spawnSync = (file, args, options) => {
  dieAt(file, args, options)
  return spawnSync(file, args, options)
}

processes.spawn = (file, args, options) => {
  dieAt(file, args, { cwd: options.cwd, env: options.env, stdio: 'ignore' })
  return spawn(file, args, options)
}

function dieAt(file, args, options) {
  if (options?.env?.GIT_DIR === undefined) return
  calls += 1
  if (calls !== Number(DIE_AT_GIT)) return
  if (DIE_HOW === 'during') runInPart(file, args, options)
  if (DIE_HOW === 'after') spawnSync(file, args, options)
  process.kill(process.pid, 'SIGKILL')
  // The signal is on its way.
  for (;;);
}

function runInPart(file, args, { cwd, env, input = '' }) {
  const given = join(tmpdir(), `dying-git-${process.pid}`)
  fs.writeFileSync(given, input)
  const child = spawn(file, args, {
    ...{ cwd, env, detached: true },
    stdio: [fs.openSync(given, 'r'), 'ignore', 'ignore'],
  })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(DIE_AFTER_MS))
  fs.rmSync(given)
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Git has ended.
  }
}
