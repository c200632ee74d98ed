// Checks that `npm run demo` works with an empty home, without settings and without a network.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const home = mkdtempSync(join(tmpdir(), 'cortext-home-'))
const withoutNetwork = [
  ['unshare', '-n'],
  ['unshare', '-rn'],
].find(([program, ...args]) => spawnSync(program, [...args, 'true']).status === 0)
process.stdout.write(
  `home: empty; network: ${withoutNetwork === undefined ? 'there (unshare is not permitted)' : 'none'}\n`,
)

const [program, ...args] = [...(withoutNetwork ?? []), 'npm', 'run', 'demo']
const { status, stdout, stderr } = spawnSync(program, args, {
  cwd: join(import.meta.dirname, '..'),
  env: { HOME: home, PATH: process.env.PATH },
  encoding: 'utf8',
  timeout: 240_000,
})
const left = readdirSync(home).filter((name) => name !== '.npm')
rmSync(home, { recursive: true, force: true })

if (status !== 0) fail(`the demo ended with ${status}\n${stdout}${stderr}`)
for (const words of ['[RESUMED CONVERSATION]', 'Whole history:', 'cortext resume'])
  if (!stdout.includes(words)) fail(`the demo does not show ${words}\n${stdout}`)
if (left.length > 0) fail(`the demo left in the home: ${left.join(', ')}`)
process.stdout.write(`${stdout.split('\n').length} lines shown, nothing left behind\n`)

function fail(why) {
  throw new Error(why)
}
