// Loaded before a program: whatever it starts never runs, as when the machine goes down at that moment.
const processes = require('node:child_process')
const { EventEmitter } = require('node:events')

processes.spawn = () => Object.assign(new EventEmitter(), { unref() {} })
