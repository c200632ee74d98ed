// Preloaded (`node --require`): counts how often this process opens a messages.jsonl for reading. At its end the process
// appends a line to COUNT_INTO: its verb and the count.
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
