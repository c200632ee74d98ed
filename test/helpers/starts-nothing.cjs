// Preloaded (`node --require`): the process starts no other process, as if the machine went down at that moment.
const processes = require('node:child_process')
const { EventEmitter } = require('node:events')

processes.spawn = () => Object.assign(new EventEmitter(), { unref() {} })
