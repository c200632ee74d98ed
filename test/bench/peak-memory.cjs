// Loaded before a program (`node --require`): says on standard error what it took of memory at most, in kilobytes.
const { writeSync } = require('node:fs')

process.on('exit', () => writeSync(2, `\npeak ${process.resourceUsage().maxRSS}\n`))
