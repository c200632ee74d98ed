// Preloaded (`node --require`): prints a line to stderr for each fsync and each rename, in order.
const fs = require('node:fs')

const paths = new Map()
const { openSync, closeSync, fsyncSync, renameSync } = fs

fs.openSync = (path, ...rest) => {
  const descriptor = openSync(path, ...rest)
  paths.set(descriptor, String(path))
  return descriptor
}

fs.closeSync = (descriptor) => {
  paths.delete(descriptor)
  closeSync(descriptor)
}

fs.fsyncSync = (descriptor) => {
  fsyncSync(descriptor)
  process._rawDebug(`synced ${paths.get(descriptor)}`)
}

fs.renameSync = (from, to) => {
  renameSync(from, to)
  process._rawDebug(`renamed ${from} ${to}`)
}
