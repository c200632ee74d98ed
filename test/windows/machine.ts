import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { claudeEnv } from '../e2e/claude.ts'
import { type FakeModel, openFakeModel } from '../e2e/fake-model.ts'
import { geminiEnv } from '../e2e/gemini.ts'
import { openNetwork } from '../e2e/network.ts'
import { openTerminal, type Terminal } from '../e2e/terminal.ts'

/** The machine that scripts/windows/setup.sh has made. `CORTEXT_WINDOWS` names another place. */
const MACHINE = process.env.CORTEXT_WINDOWS || join(homedir(), '.cache', 'cortext-windows')

/** A Windows machine for one test: a person's empty home, a project in git, no network but a fake model. */
export interface Windows {
  /** Drive C:, seen from here. */
  readonly drive: string
  /** `C:\project`, seen from here. */
  readonly project: string
  readonly model: FakeModel
  /** Runs a Windows program in the project to its end. A failure is a result; after `timeout` ms it is killed. */
  run(command: readonly string[], options?: { input?: string; timeout?: number }): Promise<Finished>
  /** `cortext …args`, as npm has installed it. */
  cortext(...args: string[]): Promise<Finished>
  /** Starts a Windows program in a terminal. */
  terminal(command: readonly string[]): Terminal
  close(): Promise<void>
}

interface Finished {
  stdout: string
  stderr: string
  /** Undefined when it was killed. */
  code: number | undefined
}

export const NODE = 'C:\\bin\\node.exe'
export const CORTEXT = 'C:\\bin\\node_modules\\cortext\\dist\\bin.cjs'

export async function openWindows(): Promise<Windows> {
  const folder = mkdtempSync(join(MACHINE, 'run-'))
  const drive = join(folder, 'prefix', 'drive_c')
  const project = join(drive, 'project')
  copyMachine(join(MACHINE, 'prefix'), join(folder, 'prefix'))
  const socket = join(folder, 'model.sock')
  const model = await openFakeModel(socket, join(folder, 'requests'))
  const network = await openNetwork(socket)
  const env = {
    ...{ PATH: '/usr/bin:/bin', HOME: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
    ...{ WINEPREFIX: join(folder, 'prefix'), WINEDEBUG: '-all', WINEPATH: 'C:\\bin' },
    ...claudeEnv(network.port),
    ...geminiEnv(network.port),
  }
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const inside = (command: readonly string[]) => network.inside(['env', '-i', ...assignments, ...command])
  const terminals: Terminal[] = []
  let runs = 0

  const run: Windows['run'] = async (command, { input = '', timeout = 120_000 } = {}) => {
    // Node ends with EBADF when its output is a pipe of Linux, so it is a file.
    const [from, to, errors] = ['in', 'out', 'err'].map((end) => join(folder, `${++runs}.${end}`))
    writeFileSync(from!, input)
    const script = 'from=$1 to=$2 errors=$3; shift 3; exec wine "$@" <"$from" >"$to" 2>"$errors"'
    const [file, ...args] = inside(['sh', '-c', script, 'sh', from!, to!, errors!, ...command])
    const { exitCode } = await execa(file!, args, { cwd: project, timeout, reject: false, stdin: 'ignore' })
    return { stdout: readFileSync(to!, 'utf8'), stderr: readFileSync(errors!, 'utf8'), code: exitCode }
  }
  mkdirSync(project)
  await installCortext(drive, run)
  writeFileSync(join(drive, 'users/root/.gitconfig'), '[user]\n\tname = Tess\n\temail = tess@example.com\n')
  await run(['C:\\bin\\git.exe', 'init', '--quiet', '--initial-branch=main'])

  return {
    drive,
    project,
    model,
    run,
    cortext: (...args) => run([NODE, CORTEXT, ...args]),
    terminal(command) {
      const script = join(folder, `terminal-${terminals.length}.sh`)
      const line = inside(['wine', ...command]).map((word) => `'${word.replaceAll("'", "'\\''")}'`)
      writeFileSync(script, `cd '${project}' && exec ${line.join(' ')}\n`)
      const name = `cortext-windows-${process.pid}-${terminals.length}`
      const terminal = openTerminal(name, script, { cols: 120, rows: 40 })
      terminals.push(terminal)
      return terminal
    },
    async close() {
      for (const terminal of terminals) terminal.close()
      // All programs of this machine, and of no other, end with its server.
      execFileSync('wineserver', ['-k'], { env: { ...env, PATH: `${env.PATH}:/usr/lib/wine` } })
      await network.close()
      await model.close()
      if (!process.env.CORTEXT_E2E_KEEP) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** A copy by hard links. Wine replaces the files that it changes. The project's own packages are not needed. */
function copyMachine(from: string, to: string): void {
  mkdirSync(join(to, 'drive_c'), { recursive: true })
  const link = (...names: string[]) => execFileSync('cp', ['-al', ...names], { stdio: 'inherit' })
  link(...['dosdevices', 'ready'].map((name) => join(from, name)), to)
  for (const name of ['system.reg', 'user.reg', 'userdef.reg']) cpSync(join(from, name), join(to, name))
  const folders = ['Program Files', 'Program Files (x86)', 'ProgramData', 'bin', 'share', 'users', 'windows']
  link(...folders.map((name) => join(from, 'drive_c', name)), join(to, 'drive_c'))
}

/** `npm install -g` of what would be published, by npm under node.exe. */
async function installCortext(drive: string, run: Windows['run']): Promise<void> {
  const root = join(import.meta.dirname, '..', '..')
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', drive], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const npm = 'C:\\users\\npm\\node_modules\\npm\\bin\\npm-cli.js'
  const install = ['install', '--global', '--offline', '--no-audit', '--no-fund']
  const { code, stdout, stderr } = await run([NODE, npm, ...install, `C:\\cortext-${version}.tgz`], {
    timeout: 300_000,
  })
  if (code !== 0) throw new Error(`npm install --global: exit ${code}\n${stdout}${stderr}`)
  const shim = readFileSync(join(drive, 'bin', 'cortext.cmd'), 'utf8')
  if (!shim.includes('cortext\\dist\\bin.cjs')) throw new Error(`an unknown kind of shim:\n${shim}`)
  // Wine's cmd.exe ends at the line with which npm's shim leaves the batch file, `goto #_undefined_#`; Windows does not.
  writeFileSync(
    join(drive, 'bin', 'cortext.cmd'),
    '@"%~dp0node.exe" "%~dp0node_modules\\cortext\\dist\\bin.cjs" %*\r\n',
  )
}
