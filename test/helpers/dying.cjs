// Preloaded (`node --require`): the process is killed at the DIE_AT-th call that changes the disk; a write is cut in
// the middle.
const fs = require('node:fs')

let calls = 0
const at = Number(process.env.DIE_AT)

function die() {
  process.kill(process.pid, 'SIGKILL')
  // The signal is on its way.
  for (;;);
}

for (const name of [
  'openSync',
  'closeSync',
  'fsyncSync',
  'renameSync',
  'rmSync',
  'mkdirSync',
  'ftruncateSync',
]) {
  const real = fs[name]
  fs[name] = (...args) => {
    calls += 1
    if (calls === at) die()
    return real(...args)
  }
}

for (const name of ['writeSync', 'writeFileSync', 'appendFileSync']) {
  const real = fs[name]
  fs[name] = (target, data, ...rest) => {
    calls += 1
    if (calls !== at) return real(target, data, ...rest)
    const bytes = Buffer.from(data)
    real(target, bytes.subarray(0, bytes.length >> 1))
    die()
  }
}
