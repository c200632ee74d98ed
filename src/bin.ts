import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runCompiled } from './compiled.ts'

declare const __VERSION__: string
/** The oldest node that cortext runs in: `20.19`. */
declare const __NODE__: string

/**
 * The program's entry. `hook` runs at every turn of a client, and `__complete` at every press of Tab. Both must start
 * fast, so each has a bundle of its own. A version manager may put an old node first on PATH, which would fail anywhere.
 */
const verb = process.argv[2]
if ((verb === '--version' || verb === '-v' || verb === '-V') && process.argv.length === 3) {
  process.stdout.write(`${__VERSION__}\n`)
} else if (isOlder(process.versions.node, __NODE__)) {
  require(join(__dirname, 'old-node.cjs'))
} else if (verb === 'hook') {
  // Each client has its own hook bundle. Without a bundle of that name nothing happens.
  const path = join(__dirname, `hook-${process.argv[3]}.cjs`)
  if (/^\w+$/.test(process.argv[3] ?? '') && existsSync(path)) require(path)
} else {
  const path = join(__dirname, fileOf(verb))
  // These two verbs promise to change nothing on the machine, so their compiled code is not cached.
  if (verb === 'demo' || verb === 'doctor') require(path)
  else runCompiled(path, __VERSION__)
}

function fileOf(verb: string | undefined): string {
  if (verb === '__complete') return 'complete.cjs'
  return verb === 'mcp' && process.argv.length === 3 ? 'cli/serve.cjs' : 'cli/index.cjs'
}

function isOlder(version: string, needed: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number)
  return major < neededMajor || (major === neededMajor && minor < neededMinor)
}
