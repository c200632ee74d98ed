// `npm run test:windows`: makes the Windows machine if it is not there (setup.sh), runs the unit tests of
// vitest.windows.config.ts with its node.exe, and then the main job with its node.exe, git.exe and claude.exe
// (test/windows/). `CORTEXT_WINDOWS` names the folder of the machine; by default it is in ~/.cache.
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const machine = process.env.CORTEXT_WINDOWS || join(homedir(), '.cache', 'cortext-windows')
const there = join(machine, 'prefix/drive_c/cortext')

run('bash', [join(import.meta.dirname, 'setup.sh'), machine])
run(process.execPath, ['scripts/build.mjs'])
copyProject()
const units = unitTests()
const job = run('npx', ['vitest', 'run', '--config', 'test/windows/vitest.config.ts'], { CORTEXT_BUILT: '1' })
process.exit(units || job)

/** Copies the files that git knows or would add, and dist/, beside the packages for Windows. */
function copyProject() {
  const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  for (const folder of ['src', 'test', 'dist']) rmSync(join(there, folder), { recursive: true, force: true })
  for (const name of names.split('\0').filter((one) => one !== '')) {
    mkdirSync(dirname(join(there, name)), { recursive: true })
    // A file that was removed and not yet committed is still listed.
    try {
      cpSync(join(root, name), join(there, name))
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
  }
  cpSync(join(root, 'dist'), join(there, 'dist'), { recursive: true })
}

/** Vitest under node.exe. Node ends with EBADF when its output is a pipe of Linux, so it is a file. */
function unitTests() {
  const output = join(machine, 'unit-tests.txt')
  const file = openSync(output, 'w')
  const vitest = 'C:\\cortext\\node_modules\\vitest\\vitest.mjs'
  const { status } = spawnSync(
    'wine',
    ['C:\\bin\\node.exe', vitest, 'run', '--config', 'vitest.windows.config.ts'],
    {
      cwd: there,
      stdio: ['ignore', file, file],
      env: {
        PATH: process.env.PATH,
        HOME: machine,
        WINEPREFIX: join(machine, 'prefix'),
        WINEDEBUG: '-all',
        WINEPATH: 'C:\\bin',
        CORTEXT_WINE: '1',
        NO_COLOR: '1',
        // Otherwise Wine cannot make files with names in other scripts.
        LANG: 'C.UTF-8',
      },
    },
  )
  closeSync(file)
  process.stdout.write(readFileSync(output, 'utf8'))
  return status ?? 1
}

function run(command, args, env = {}) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (status !== 0 && command !== 'npx') process.exit(status ?? 1)
  return status ?? 1
}
