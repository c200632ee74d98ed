// Installs the pinned clients when they are missing or their lock file has changed, and sees that each one starts and
// is of its version. CI does it beside the unit tests.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const folder = import.meta.dirname
/** `programs` is where a package has its program. */
const { dependencies, programs } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
/** Clients are started with this node: Pi needs 22.19, Qwen Code 22. */
const [node] = Object.keys(dependencies).filter((name) => name.startsWith('node-'))
const stamp = join(folder, 'node_modules', '.installed')
const wanted = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const options = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }
  // A registry that stalls would keep npm waiting for five minutes at a time; the lock file says what each package is.
  const patience = ['--prefer-offline', '--fetch-timeout=60000']
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', ...patience], options)
  for (const name of Object.keys(dependencies)) checkVersion(name)
  writeFileSync(stamp, wanted)
}

/** @param name of a package here, such as `claude-2.1.330`. */
function checkVersion(name) {
  const [client, version] = name.split('-')
  const program = join(folder, 'node_modules', name, programs[client])
  const env = {
    ...process.env,
    // Copilot CLI unpacks itself at its first start.
    XDG_CACHE_HOME: join(folder, 'node_modules', '.unpacked'),
    PATH: `${join(folder, 'node_modules', node, 'bin')}${delimiter}${process.env.PATH}`,
  }
  // The first start reads a hundred megabytes, while the unit tests run beside it.
  const said = execFileSync(program, ['--version'], { encoding: 'utf8', timeout: 180_000, env })
  if (!said.split(/\.?\s/).includes(version))
    throw new Error(`${name} was installed, but it says that it is ${JSON.stringify(said)}`)
}
