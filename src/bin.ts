import module from 'node:module'

declare const __VERSION__: string

/** The door. `hook` runs at every turn of a client and must cost next to nothing, so it has a bundle of its own. */
const verb = process.argv[2]
if (verb === 'hook') {
  require('./hook.cjs')
} else if ((verb === '--version' || verb === '-V') && process.argv.length === 3) {
  process.stdout.write(`${__VERSION__}\n`)
} else {
  // Node 22.1 and later; its types are of Node 20, which has to do.
  ;(module as { enableCompileCache?: () => void }).enableCompileCache?.()
  void import('./cli/index.js')
}
