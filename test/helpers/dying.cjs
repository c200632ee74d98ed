// Preloaded (`node --require`): the process is killed at the DIE_AT-th call that changes the disk; a write and the
// removal of a folder are cut in the middle. With STOP_AT it prints `stopped` there and stops (SIGSTOP) until it gets a SIGCONT, and with STOP_AT_PATH
// it does so before it removes a path that matches. With COUNT it prints at its end how many calls there were. With
// DIE_BEHIND it is killed as soon as something was renamed to a path that matches. Calls on the index of conversations
// do not count, nor calls that only read, because their number depends on the time.
const fs = require('node:fs')

let calls = 0
const { DIE_AT, DIE_BEHIND, STOP_AT, STOP_AT_PATH, COUNT } = process.env
const at = Number(DIE_AT ?? STOP_AT)
const paths = new Map()

const PATHS = ['openSync', 'renameSync', 'rmSync', 'unlinkSync', 'rmdirSync', 'mkdirSync']
const DESCRIPTORS = [
  'closeSync',
  'fsyncSync',
  'ftruncateSync',
  'writeSync',
  'writeFileSync',
  'appendFileSync',
]

if (COUNT !== undefined) process.on('exit', () => process._rawDebug(calls))

for (const name of [...PATHS, ...DESCRIPTORS]) {
  const real = fs[name]
  fs[name] = (...args) => {
    if (isHere(name, args)) {
      if (DIE_AT === undefined) stop()
      else {
        if (name.startsWith('write')) writeHalf(real, args)
        if (name === 'rmSync') removeHalf(real, args)
        die()
      }
    }
    if (name === 'rmSync' && STOP_AT_PATH !== undefined && new RegExp(STOP_AT_PATH).test(args[0])) stop()
    const result = real(...args)
    if (name === 'renameSync' && DIE_BEHIND !== undefined && new RegExp(DIE_BEHIND).test(args[1])) die()
    if (name === 'openSync' && !onlyReads(args)) paths.set(result, String(args[0]))
    if (name === 'closeSync') paths.delete(args[0])
    return result
  }
}

function isHere(name, args) {
  const [target] = args
  if (name === 'openSync' ? onlyReads(args) : name === 'closeSync' && !paths.has(target)) return false
  const path = String(typeof target === 'number' ? paths.get(target) : target)
  const counts = !/index\.json|^\/proc\//.test(path) && !(name === 'mkdirSync' && fs.existsSync(path))
  if (counts) calls += 1
  return counts && calls === at
}

function onlyReads([, flags = 'r']) {
  return flags === 'r' || (typeof flags === 'number' && (flags & 3) === fs.constants.O_RDONLY)
}

function writeHalf(real, [target, data, offset, length, position]) {
  const from = typeof offset === 'number' ? offset : 0
  const bytes = Buffer.from(data).subarray(from, typeof length === 'number' ? from + length : undefined)
  const half = bytes.subarray(0, bytes.length >> 1)
  if (typeof position === 'number') real(target, half, 0, half.length, position)
  else real(target, half)
}

/** Removes every second file below a folder. */
function removeHalf(real, [folder]) {
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const files = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => !one.isDirectory())
  for (const [place, { parentPath, name }] of files.entries())
    if (place % 2 === 0) real(`${parentPath}/${name}`)
}

function stop() {
  process._rawDebug('stopped')
  process.kill(process.pid, 'SIGSTOP')
}

function die() {
  process.kill(process.pid, 'SIGKILL')
  // The signal is on its way.
  for (;;);
}
