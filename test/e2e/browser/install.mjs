// Installs what drives the browser when it is missing or its lock file has changed, and sees that there is a browser:
// the one of this system, else the one that Playwright brings. CI does it beside the unit tests.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const folder = import.meta.dirname
const stamp = join(folder, 'node_modules', '.installed')
const wanted = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const options = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], options)
  const cli = join(folder, 'node_modules', 'playwright-core', 'cli.js')
  if (systemBrowser() === undefined)
    execFileSync(process.execPath, [cli, 'install', '--only-shell', 'chromium'], options)
  writeFileSync(stamp, wanted)
}

/** The path of a Chromium that the system's packages have brought. */
export function systemBrowser() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((one) => join(one, name)))
    .find((path) => existsSync(path))
}
