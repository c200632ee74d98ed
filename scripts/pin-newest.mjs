// `npm run pin-newest [client…]`: replaces the newest pinned version of each real client (test/e2e/clients) by the newest
// one that npm has, and prints what it replaced, a line each. Then `npm run record-fixtures` shows what has changed in
// their sessions. The nightly workflow does both.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'test/e2e/clients')
const path = join(folder, 'package.json')
const chosen = process.argv.slice(2)
for (const [client, pin] of newestPins()) {
  if (chosen.length > 0 && !chosen.includes(client)) continue
  const newest = newestOf(pin)
  if (newest === pin.version) continue
  try {
    replace(client, pin, newest)
    process.stdout.write(`${client} ${pin.version} → ${newest}\n`)
  } catch {
    // For example, npm does not have all of its packages yet.
    process.stderr.write(`${client} ${newest} cannot be installed: still ${pin.version}\n`)
  }
}

/** The newest pin of each client. Some packages have the system in their versions: `0.169.0-linux-x64`. */
function newestPins() {
  const { dependencies } = JSON.parse(readFileSync(path, 'utf8'))
  const pins = Object.entries(dependencies).flatMap(([name, spec]) => {
    const [, client, version] = /^(\w+)-(\d.*)$/.exec(name) ?? []
    const [, source, suffix] = new RegExp(`^npm:(.+)@${version}(.*)$`).exec(spec) ?? []
    return client === undefined ? [] : [[client, { name, version, source, suffix }]]
  })
  pins.sort(([, one], [, other]) => one.version.localeCompare(other.version, 'en', { numeric: true }))
  return new Map(pins)
}

function newestOf({ source, suffix }) {
  const latest = execFileSync('npm', ['view', source, 'dist-tags.latest'], { encoding: 'utf8' }).trim()
  return suffix !== '' && latest.endsWith(suffix) ? latest.slice(0, -suffix.length) : latest
}

function replace(client, { name, source, suffix }, newest) {
  const before = readFileSync(path, 'utf8')
  const settings = JSON.parse(before)
  delete settings.dependencies[name]
  settings.dependencies[`${client}-${newest}`] = `npm:${source}@${newest}${suffix}`
  writeFileSync(path, `${JSON.stringify(settings, undefined, 2)}\n`)
  const lockOnly = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']
  try {
    execFileSync('npm', lockOnly, { cwd: folder, stdio: 'ignore' })
  } catch (error) {
    writeFileSync(path, before)
    throw error
  }
}
