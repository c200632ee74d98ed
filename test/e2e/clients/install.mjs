// Installs the pinned clients when they are missing or their lock file has changed; CI does it beside the unit tests.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const stamp = join(folder, 'node_modules', '.installed')
const wanted = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const options = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], options)
  writeFileSync(stamp, wanted)
}
