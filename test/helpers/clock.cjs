// Gives a program a wrong clock: CLOCK_AHEAD milliseconds before or behind this machine's, for what it is told as the
// time and for the times of files that it reads and sets. Preloaded, or required by program-server.cjs, where each run
// has another environment.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

const RealDate = Date
const ahead = () => Number(process.env.CLOCK_AHEAD ?? 0)

globalThis.Date = class Clock extends RealDate {
  constructor(...values) {
    super(...(values.length === 0 ? [Clock.now()] : values))
  }

  static now() {
    return RealDate.now() + ahead()
  }
}

for (const name of ['statSync', 'lstatSync', 'fstatSync']) {
  const real = fs[name]
  fs[name] = (...args) => shifted(real(...args))
}
for (const name of ['utimesSync', 'lutimesSync', 'futimesSync']) {
  const real = fs[name]
  fs[name] = (target, ...times) => real(target, ...times.map(unshifted))
}
syncBuiltinESMExports()

function unshifted(time) {
  return time instanceof RealDate ? new RealDate(Number(time) - ahead()) : time - ahead() / 1000
}

function shifted(stats) {
  const by = ahead()
  if (stats === undefined || by === 0) return stats
  for (const name of ['atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs'])
    stats[name] += typeof stats[name] === 'bigint' ? BigInt(by) : by
  for (const name of ['atimeNs', 'mtimeNs', 'ctimeNs', 'birthtimeNs'])
    if (stats[name] !== undefined) stats[name] += BigInt(by) * 1_000_000n
  for (const name of ['atime', 'mtime', 'ctime', 'birthtime'])
    stats[name] = new RealDate(Number(stats[`${name}Ms`]))
  return stats
}
