// Installs the pinned clients when they are missing or their lock file has changed, and sees that each one starts and
// is of its version. CI does it beside the unit tests.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a package has its program; ../install.ts knows more of them. */
const PROGRAMS = {
  claude: 'bin/claude.exe',
  copilot: 'copilot',
  codex: 'vendor/x86_64-unknown-linux-musl/bin/codex',
  gemini: 'bundle/gemini.js',
  node: 'bin/node',
  opencode: 'bin/opencode',
  pi: 'dist/bundle/cli.js',
  qwen: 'cli-entry.js',
}

/** The node that clients are started with: Pi needs 22.19, Qwen Code 22. */
const NODE = 'node-v22.23.3'

const folder = import.meta.dirname
const stamp = join(folder, 'node_modules', '.installed')
const wanted = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const options = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }
  // A registry that stalls would keep npm waiting for five minutes at a time; the lock file says what each package is.
  const patience = ['--prefer-offline', '--fetch-timeout=60000']
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', ...patience], options)
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) checkVersion(name)
  writeFileSync(stamp, wanted)
}

/** @param name of a package here, such as `claude-2.1.330`. */
function checkVersion(name) {
  const [client, version] = name.split('-')
  const program = join(folder, 'node_modules', name, PROGRAMS[client])
  const env = {
    ...process.env,
    // Copilot CLI unpacks itself at its first start.
    XDG_CACHE_HOME: join(folder, 'node_modules', '.unpacked'),
    PATH: `${join(folder, 'node_modules', NODE, 'bin')}${delimiter}${process.env.PATH}`,
  }
  const said = execFileSync(program, ['--version'], { encoding: 'utf8', timeout: 60_000, env })
  if (!said.split(/\.?\s/).includes(version))
    throw new Error(`${name} was installed, but it says that it is ${JSON.stringify(said)}`)
}
