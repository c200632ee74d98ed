// What npm would publish: packed, installed offline into an empty folder, and used. With a number, under that major
// version of Node: `node scripts/check-package.mjs 26`.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const major = process.argv[2]
const place = mkdtempSync(join(tmpdir(), 'cortext-package-'))
const home = join(place, 'home')
const project = join(place, 'project')
for (const folder of [home, project]) mkdirSync(folder)
try {
  const node = major === undefined ? process.execPath : installNode(major)
  const cli = installPackage()
  say(`node ${run(node, ['--version']).trim()}, ${cli}`)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  same('cortext --version', run(node, [cli, '--version']).trim(), version)
  contains('cortext --help', run(node, [cli, '--help']), 'resume')
  contains('cortext demo', run(node, [cli, 'demo']), '[RESUMED CONVERSATION]')
  run(node, [cli, 'hook', 'claude'], '{}')
  say('--version, --help, demo and hook work')
} finally {
  rmSync(place, { recursive: true, force: true })
}

/** Packs and installs with nothing but the tarball: everything that is needed is in it. Returns the path of its bin. */
function installPackage() {
  const packed = JSON.parse(npm(root, ['pack', '--json', '--pack-destination', place]))
  const [{ filename, size, unpackedSize }] = Array.isArray(packed) ? packed : Object.values(packed)
  say(`${filename}: ${size} bytes, ${unpackedSize} unpacked`)
  npm(project, ['init', '--yes'])
  npm(project, ['install', '--offline', '--cache', join(place, 'cache'), join(place, filename)])
  const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))
  same('what was installed', installed.join(), 'cortext')
  return join(project, 'node_modules/.bin/cortext')
}

/** The package `node` of the registry brings the program for this machine. */
function installNode(version) {
  const folder = join(place, 'node')
  mkdirSync(folder)
  npm(folder, ['init', '--yes'])
  npm(folder, ['install', `node@${version}`])
  const program = join(folder, 'node_modules/node/bin/node')
  contains('node --version', run(program, ['--version']), `v${version}.`)
  return program
}

function npm(cwd, args) {
  return execFileSync('npm', [...args, '--silent', '--no-audit', '--no-fund'], {
    cwd,
    encoding: 'utf8',
    timeout: 240_000,
  })
}

/** Throws with what it said on any exit code but 0. In an empty home, in a folder that is no workspace. */
function run(program, args, input = '') {
  return execFileSync(program, args, {
    cwd: project,
    env: { HOME: home, PATH: process.env.PATH },
    encoding: 'utf8',
    input,
    timeout: 60_000,
  })
}

function same(what, found, wanted) {
  if (found !== wanted) throw new Error(`${what}: ${found}, not ${wanted}`)
}

function contains(what, found, wanted) {
  if (!found.includes(wanted)) throw new Error(`${what} does not hold ${wanted}:\n${found}`)
}

function say(text) {
  process.stdout.write(`${text}\n`)
}
