// promise: Until the first release is on npm, from a checkout
// Checks what npm would publish: packs it, installs it offline into an empty folder, and uses it under this Node. With
// a number, also under that major version of Node: `node scripts/check-package.mjs 26`.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const major = process.argv[2]
const temporary = mkdtempSync(join(tmpdir(), 'cortext-package-'))
const installed = join(temporary, 'installed')
/** Each Node begins in an empty home and an empty folder below `installed`. */
let home, project, ENV
/**
 * Writes some tables of OpenCode 1.18.33 with a session of two messages, and is killed before it closes the database.
 */
const DATABASE = `
const [path, directory] = process.argv.slice(1)
const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
const database = new DatabaseSync(path)
database.exec(\`
  PRAGMA journal_mode = WAL;
  PRAGMA wal_autocheckpoint = 0;
  CREATE TABLE session (id TEXT, project_id TEXT, parent_id TEXT, slug TEXT, directory TEXT, title TEXT,
    version TEXT, metadata TEXT, time_created INTEGER, time_updated INTEGER);
  CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
  CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
\`)
const now = Date.now()
const put = (table, row) => {
  const names = Object.keys(row)
  const marks = names.map(() => '?').join()
  database.prepare('INSERT INTO ' + table + ' (' + names.join() + ') VALUES (' + marks + ')').run(...Object.values(row))
}
put('session', { id: 'ses_check', project_id: 'p', directory, title: 'T', version: '1.18.33', time_created: now, time_updated: now })
const said = [['msg_1', 'user', 'FIRST WORDS'], ['msg_2', 'assistant', 'LAST WORDS']]
for (const [id, role, text] of said) {
  put('message', { id, session_id: 'ses_check', time_created: now, data: JSON.stringify({ role, time: { created: now }, finish: 'stop' }) })
  put('part', { id: 'prt_' + id, message_id: id, session_id: 'ses_check', data: JSON.stringify({ type: 'text', text }) })
}
process.kill(process.pid, 'SIGKILL')
`

try {
  mkdirSync(installed)
  const cli = installPackage()
  const use = programsThatUseIt()
  check(process.execPath, cli, use)
  if (major !== undefined) check(installNode(major), cli, use)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

function check(node, cli, use) {
  home = mkdtempSync(join(installed, 'home-'))
  project = mkdtempSync(join(installed, 'project-'))
  mkdirSync(join(home, 'tmp'))
  ENV = { HOME: home, PATH: process.env.PATH, TMPDIR: join(home, 'tmp') }
  say(`node ${run(node, ['--version']).trim()}, ${cli}`)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  same('cortext --version', run(node, [cli, '--version']).trim(), version)
  contains('cortext --help', run(node, [cli, '--help']), 'resume')
  contains('cortext demo', run(node, [cli, 'demo']), '[RESUMED CONVERSATION]')
  run(node, [cli, 'hook', 'claude'], '{}')
  say('--version, --help, demo and hook work')
  checkCompiled()
  if (hasSqlite(node)) checkDatabase(node, cli)
  checkLibrary(node, cli, use)
}

/** Compiles two programs that use the library, by `import` and by `require`, with its types. Returns their paths. */
function programsThatUseIt() {
  const use = `
    const chat = (await openStore('.')).conversation('cli:default')
    await chat.append([{ role: 'user', content: 'SAID' }])
    const { messages } = await chat.context({ budget: 100 })
    const said = messages[0]?.content
    const content: string = typeof said === 'string' ? said : 'in parts'
    const failed: unknown = await openStore('/').catch((error: unknown) => error)
    if (!(failed instanceof CortextError) || failed.code !== 'no-workspace') throw new Error('no CortextError')
    // @ts-expect-error: there is no such role
    const wrong = () => chat.append([{ role: 'robot', content: '' }])
    process.stdout.write(content + typeof wrong)`
  const imported = `import { CortextError, openStore } from 'cortext'\n${use}`
  const required = `import cortext = require('cortext')\nconst { CortextError, openStore } = cortext\nvoid (async () => {${use}})()`
  writeFileSync(join(installed, 'use.mts'), imported)
  writeFileSync(join(installed, 'use.cts'), required)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', ...types]
  execFileSync(process.execPath, [tsc, ...options, 'use.mts', 'use.cts'], {
    cwd: installed,
    stdio: 'inherit',
  })
  return [join(installed, 'use.mjs'), join(installed, 'use.cjs')]
}

/** Checks that both programs get the library, and that it returns a turn that it has stored. */
function checkLibrary(node, cli, use) {
  run('git', ['init', '--quiet'])
  run(node, [cli, 'init', '--in', 'claude'])
  for (const program of use) {
    same(program, run(node, [program]), 'SAIDfunction')
    rmSync(join(project, 'conversations'), { recursive: true })
    rmSync(join(project, '.git/cortext'), { recursive: true })
  }
  say('the library can be imported and required, and its types are right')
}

/** Checks that compiled code is kept in the home, not in a folder where programs in a sandbox may write. */
function checkCompiled() {
  const folder = join(home, '.local/state/cortext/compiled')
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  if (kept.length < 10) throw new Error(`only ${kept.length} files are kept compiled in ${folder}`)
  same('the content of the temporary folder', readdirSync(join(home, 'tmp')).join(), '')
  say(`${kept.length} files are kept compiled`)
}

function hasSqlite(node) {
  const ask = "console.log(process.getBuiltinModule('node:sqlite') !== undefined)"
  return run(node, ['--no-warnings', '-e', ask]).trim() === 'true'
}

/**
 * Checks that a session in OpenCode's database is found and imported without the program `opencode`, even if its last
 * words are in the write-ahead log of a killed process, and that Node prints no warning about an experimental module.
 */
function checkDatabase(node, cli) {
  const folder = join(home, '.local/share/opencode')
  mkdirSync(folder, { recursive: true })
  const killed = spawnSync(node, ['-e', DATABASE, join(folder, 'opencode.db'), project], { stdio: 'inherit' })
  same('how the writer of the database ended', killed.signal, 'SIGKILL')
  contains('cortext', run(node, [cli]), 'ses_check')
  run('git', ['init', '--quiet'])
  run(node, [cli, 'init', '--private', '--in', 'opencode'])
  const args = [cli, 'import', 'opencode', 'ses_check', '--type', 'plan', '--title', 'Checked']
  const imported = spawnSync(node, args, { cwd: project, env: ENV, encoding: 'utf8' })
  same('what cortext import said on stderr', imported.stderr, '')
  contains('cortext export', run(node, [cli, 'export', 'checked', '--format', 'markdown']), 'LAST WORDS')
  say("OpenCode's database is read")
}

/** Installs the package from its tarball, without any other package. Returns the path of the program. */
function installPackage() {
  const packed = JSON.parse(npm(root, ['pack', '--json', '--pack-destination', temporary]))
  const [{ filename, size, unpackedSize }] = Array.isArray(packed) ? packed : Object.values(packed)
  say(`${filename}: ${size} bytes, ${unpackedSize} unpacked`)
  npm(installed, ['init', '--yes'])
  npm(installed, ['install', '--offline', '--cache', join(temporary, 'cache'), join(temporary, filename)])
  const packages = readdirSync(join(installed, 'node_modules')).filter((name) => !name.startsWith('.'))
  same('what was installed', packages.join(), 'cortext')
  const global = join(temporary, 'global')
  npm(temporary, [
    'install',
    '--global',
    '--offline',
    '--prefix',
    global,
    '--cache',
    join(temporary, 'cache'),
    join(temporary, filename),
  ])
  contains('the man page', readdirSync(join(global, 'share/man/man1')).join(), 'cortext.1')
  return join(installed, 'node_modules/.bin/cortext')
}

/** Installs the package `node` of the registry, which contains the program for this machine. Returns its path. */
function installNode(version) {
  const folder = join(temporary, 'node')
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

/** Returns the output of a program. Throws for any exit code but 0, with what the program printed. */
function run(program, args, input = '') {
  return execFileSync(program, args, {
    cwd: project,
    env: ENV,
    encoding: 'utf8',
    input,
    // CI runs this at a low priority, beside real clients.
    timeout: 240_000,
  })
}

function same(what, found, wanted) {
  if (found !== wanted) throw new Error(`${what}: ${found}, not ${wanted}`)
}

function contains(what, found, wanted) {
  if (!found.includes(wanted)) throw new Error(`${what} does not contain ${wanted}:\n${found}`)
}

function say(text) {
  process.stdout.write(`${text}\n`)
}
