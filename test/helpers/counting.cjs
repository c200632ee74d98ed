// Preloaded (`node --require`): how often this process opens a messages.jsonl to read it goes into COUNT_INTO when it
// ends, one line a process: its verb and the number.
const fs = require('node:fs')

const { openSync, readFileSync } = fs
let reads = 0

fs.openSync = (path, flags = 'r', ...rest) => {
  if (onlyReads(flags)) count(path)
  return openSync(path, flags, ...rest)
}
fs.readFileSync = (path, ...rest) => {
  if (typeof path === 'string') count(path)
  return readFileSync(path, ...rest)
}

process.on('exit', () => fs.appendFileSync(process.env.COUNT_INTO, `${process.argv[2]} ${reads}\n`))

function count(path) {
  if (String(path).endsWith('/.session/messages.jsonl')) reads += 1
}

function onlyReads(flags) {
  return flags === 'r' || (typeof flags === 'number' && (flags & 3) === fs.constants.O_RDONLY)
}
