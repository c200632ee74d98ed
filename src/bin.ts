import module from 'node:module'

declare const __VERSION__: string

/**
 * The program's entry. `hook` runs at every turn of a client, and `__complete` at every press of Tab. Both must cost next
 * to nothing, so each has its own bundle.
 */
const verb = process.argv[2]
if (verb === 'hook') {
  require('./hook.cjs')
} else if (verb === '__complete') {
  require('./complete.cjs')
} else if ((verb === '--version' || verb === '-v' || verb === '-V') && process.argv.length === 3) {
  process.stdout.write(`${__VERSION__}\n`)
} else {
  // Node 22.1 and later have this function; the type definitions here are those of Node 20.
  ;(module as { enableCompileCache?: () => void }).enableCompileCache?.()
  void (verb === 'mcp' && process.argv.length === 3 ? import('./cli/serve.js') : import('./cli/index.js'))
}
