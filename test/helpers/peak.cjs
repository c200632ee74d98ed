// Preloaded (`node --require`): at its end the process prints the most memory that it has had, in kilobytes.
process.on('exit', () => process._rawDebug(`peak ${process.resourceUsage().maxRSS}`))
