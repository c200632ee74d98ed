// Preloaded (`node --require`) into every program of a story. DIE_AT kills it as dying.cjs does. With FULL_AT the disk is
// full from the n-th call on that needs room, and that write is cut in half. With SHORT_AT the n-th write writes half and
// returns that count. Background processes are noted in SPAWNED, one a line, and faults that happened in MET.
const fs = require('node:fs')
const processes = require('node:child_process')

const { DIE_AT, FULL_AT, SHORT_AT, SPAWNED, MET } = process.env
// The notes of this file meet no fault.
const { openSync, writeSync, closeSync } = fs
const { spawn } = processes

processes.spawn = (...args) => {
  const child = spawn(...args)
  if (args[2]?.detached && child.pid !== undefined) note(SPAWNED, child.pid)
  return child
}

const kill = process.kill.bind(process)
process.kill = (pid, signal) => {
  if (pid === process.pid && signal === 'SIGKILL') met('killed')
  return kill(pid, signal)
}

if (DIE_AT !== undefined) require('../helpers/dying.cjs')
if (FULL_AT !== undefined) fillAt(Number(FULL_AT))
if (SHORT_AT !== undefined) shortAt(Number(SHORT_AT))

function fillAt(at) {
  let calls = 0
  for (const name of ['openSync', 'mkdirSync', 'writeSync', 'writeFileSync', 'appendFileSync', 'fsyncSync']) {
    const real = fs[name]
    fs[name] = (...args) => {
      if (!needsRoom(name, args)) return real(...args)
      calls += 1
      if (calls < at) return real(...args)
      if (calls === at) met('full')
      if (calls === at && name === 'writeSync') return half(real, args)
      if (calls === at && name.startsWith('write')) half(real, args)
      throw full(name.replace('Sync', ''))
    }
  }
}

function full(syscall) {
  const error = new Error(`ENOSPC: no space left on device, ${syscall}`)
  return Object.assign(error, { code: 'ENOSPC', errno: -28, syscall })
}

function needsRoom(name, [target, flags]) {
  // Output does not go to a disk.
  if (target === 1 || target === 2) return false
  if (name === 'mkdirSync') return !fs.existsSync(target)
  if (name !== 'openSync') return true
  const creates = typeof flags === 'number' ? (flags & fs.constants.O_CREAT) !== 0 : /[wa]/.test(flags ?? 'r')
  return creates && !fs.existsSync(target)
}

function shortAt(at) {
  let calls = 0
  const real = fs.writeSync
  fs.writeSync = (...args) => {
    calls += args[0] > 2 ? 1 : 0
    if (calls !== at || args[0] <= 2) return real(...args)
    met('short')
    return half(real, args)
  }
}

function met(kind) {
  note(MET, kind)
}

function note(path, line) {
  const file = openSync(path, 'a')
  writeSync(file, `${line}\n`)
  closeSync(file)
}

/** Writes the first half of the bytes and returns their number. */
function half(real, [target, data, offset = 0, length, position]) {
  const bytes = Buffer.from(data)
  const wanted =
    typeof length === 'number' ? length : bytes.length - (typeof offset === 'number' ? offset : 0)
  const from = typeof offset === 'number' ? offset : 0
  const part = bytes.subarray(from, from + Math.ceil(wanted / 2))
  if (real.name === 'writeFileSync') return real(target, part)
  return real(target, part, 0, part.length, position)
}
