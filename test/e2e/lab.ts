import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { execa } from 'execa'
import { sharedFolder } from '../helpers/template.ts'
import { type FakeModel, openFakeModel } from './fake-model.ts'
import { openNetwork } from './network.ts'
import { openTerminal, type Terminal } from './terminal.ts'

/** A machine for one test: an empty home, a project in git, programs of its own, and no network but a fake model. */
export interface Lab {
  /** Everything below is in here; kept for a look when `CORTEXT_E2E_KEEP` is set. */
  readonly folder: string
  readonly home: string
  readonly project: string
  /** First on the PATH. Remove `cortext` from it to see how clients do without. */
  readonly bin: string
  readonly model: FakeModel
  /** Built from nothing: what the machine's own environment holds does not reach a client. */
  readonly env: Readonly<Record<string, string>>
  /** Runs a program to its end. A failure is a result, not an error; 60 s by default, then it is killed. */
  run(command: readonly string[], options?: RunOptions): Promise<Finished>
  /** Starts a program in a terminal. */
  terminal(command: readonly string[], options?: { cols?: number; rows?: number; cwd?: string }): Terminal
  /** Ends what was started here and removes the folder. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface RunOptions {
  input?: string
  timeout?: number
  cwd?: string
}

export interface Finished {
  stdout: string
  stderr: string
  /** Undefined when a signal ended it. */
  code: number | undefined
}

/** For `expect.poll`: what a client does a moment later, on a machine that is busy. */
export const SOON = { timeout: 20_000 }

const CORTEXT = join(import.meta.dirname, '..', '..', 'dist', 'bin.cjs')

/**
 * @param ownEnv what the clients under test need, given the port on which the fake model answers.
 * @param online for a benchmark; a test runs without a network.
 * @param place for the folder. By default it lies in memory.
 * @param ownProcesses for clients that leave servers behind: what runs here ends with the lab, whoever started it.
 */
export async function openLab(
  ownEnv: (port: number) => Record<string, string>,
  { online = false, ownProcesses = false, place = tmpdir() } = {},
): Promise<Lab> {
  const folder = realpathSync(mkdtempSync(join(place, 'cortext-e2e-')))
  const [home, project, bin] = ['home', 'project', 'bin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const terminals: Terminal[] = []
  for (const path of [home, project, bin]) mkdirSync(path)
  const socket = join(folder, 'model.sock')
  const model = await openFakeModel(socket, join(folder, 'requests'))
  const network = await openNetwork(socket, { online, ownProcesses })
  const env = {
    PATH: [bin, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    USER: 'tester',
    ...ownEnv(network.port),
  }
  putCortext(home, bin)
  putProject(home, project, env)

  async function close(): Promise<void> {
    for (const terminal of terminals) terminal.close()
    await network.close()
    await model.close()
    if (!process.env.CORTEXT_E2E_KEEP) await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }

  return {
    folder,
    home,
    project,
    bin,
    env,
    model,
    async run(command, { input = '', timeout = 60_000, cwd = project } = {}) {
      const [file, ...args] = network.inside(['env', '-i', ...assignments(env), ...command])
      const done = await execa(file!, args, { cwd, input, timeout, reject: false, stripFinalNewline: false })
      if (done.timedOut)
        throw new Error(
          `${command.join(' ')} took longer than ${timeout} ms:\n${done.stdout}\n${done.stderr}`,
        )
      return { stdout: done.stdout, stderr: done.stderr, code: done.exitCode }
    },
    terminal(command, { cols = 120, rows = 40, cwd = project } = {}) {
      const name = `terminal-${terminals.length + 1}`
      const script = join(folder, `${name}.sh`)
      const line = network
        .inside(['env', '-i', ...assignments(env), ...command])
        .map(quoted)
        .join(' ')
      writeFileSync(script, `cd ${quoted(cwd)} && exec ${line}\n`)
      const terminal = openTerminal(`${basename(folder)}-${name}`, script, { cols, rows })
      terminals.push(terminal)
      return terminal
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Puts the built program on the PATH. What node has compiled of it is kept for all labs, as one person keeps it. */
function putCortext(home: string, bin: string): void {
  const compiled = sharedFolder('compiled')
  const state = join(home, '.local', 'state', 'cortext')
  mkdirSync(state, { recursive: true })
  if (compiled !== undefined) symlinkSync(compiled, join(state, 'compiled'))
  const wrapper = `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(CORTEXT)} "$@"\n`
  writeFileSync(join(bin, 'cortext'), wrapper, { mode: 0o755 })
}

function putProject(home: string, project: string, env: Record<string, string>): void {
  const identity =
    '[user]\n\tname = Tess Tester\n\temail = tess@example.com\n[init]\n\tdefaultBranch = main\n'
  writeFileSync(join(home, '.gitconfig'), identity)
  execFileSync('git', ['init', '--quiet'], { cwd: project, env })
}

function assignments(env: Record<string, string>): string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`)
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`
}
