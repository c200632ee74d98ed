import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Environment } from '../../src/io/environment.ts'
import { LONG } from './long.ts'
import { withClock, withCompileCache } from './node-starts.ts'
import { type Run, runInServer } from './program-server.ts'
import { gitEnv, tempBase } from './repository.ts'
import { copyTemplate } from './template.ts'
import { removeFolder } from './temporary.ts'

/** The built program. Vitest's global setup builds it. */
export const BIN = fileURLToPath(new URL('../../dist/bin.cjs', import.meta.url))

export type { Run }

export interface RunOptions {
  cwd?: string
  input?: string
  env?: Record<string, string>
  /** A command line that runs the program: `['setpriv', …]`. */
  wrap?: string[]
  /** The program is killed after this many milliseconds, and has no exit code then. */
  timeout?: number
}

/** A message as `show --messages --json` prints it. */
export interface Shown {
  id: string
  role: string
  content: unknown
  event?: string
  seq?: number
  timestamp: string
}

/** A home, a project, and the built program that runs in them. */
export interface Lab {
  home: string
  root: string
  env: Record<string, string>
  /** The same environment for functions that a test calls itself. */
  environment: Environment
  git: (...args: string[]) => string
  /** Runs git and returns whether it succeeded. */
  tryGit: (...args: string[]) => boolean
  /** Runs the program to its end, if possible in a process that has run it before (program-server.ts). */
  cortext: (args: string[], options?: RunOptions) => Promise<Run>
  /** Runs the program and returns the JSON document that it prints. Throws when its exit code is not 0. */
  json: <T = Record<string, unknown>>(args: string[], options?: RunOptions) => Promise<T>
  /** Starts the program in a process of its own, and does not wait for its end. */
  begin: (args: string[], options?: RunOptions) => ChildProcess
  remove: () => void
}

export interface LabOptions {
  /** The default is a git repository with one commit. */
  git?: 'none' | 'empty' | 'commit'
  init?: 'shared' | 'private' | 'none'
  /** `by` prepares the lab. It runs once in a process for each `name`; further labs are copies. */
  begun?: { name: string; by: (lab: Lab) => Promise<void> }
}

/** A lab. It is removed after the test. */
export async function workspaceLab(options: LabOptions = {}): Promise<Lab> {
  const lab = await openLab(options)
  onTestFinished(lab.remove)
  return lab
}

/** A lab for one run of a property. The caller removes it. */
export async function openLab({
  git: repository = 'commit',
  init = 'shared',
  begun,
}: LabOptions = {}): Promise<Lab> {
  const folder = realpathSync(mkdtempSync(join(tempBase(), 'cortext-lab-')))
  const lab = labIn(folder)
  // An open session belongs to the process that plays its client, which is this worker.
  const name = begun === undefined ? '' : `-${begun.name}-${process.pid}`
  await copyTemplate(`${repository}-${init}${name}`, folder, async (template) => {
    const first = labIn(template)
    await furnish(first, repository, init)
    await begun?.by(first)
  })
  return lab
}

async function furnish({ home, root, git, json }: Lab, repository: string, init: string): Promise<void> {
  mkdirSync(home)
  mkdirSync(root)
  if (repository !== 'none') git('init', '--quiet', '--initial-branch=trunk')
  if (repository === 'commit') git('commit', '--quiet', '--allow-empty', '--message=first')
  if (init !== 'none') await json(['init', `--${init}`, '--json'])
}

function labIn(folder: string): Lab {
  const [home, root] = [join(folder, 'home'), join(folder, 'project')]
  const env = { ...gitEnv(home), GIT_CONFIG_NOSYSTEM: '1', TZ: 'UTC', LANG: 'C.UTF-8' }
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: root,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 30,
    })
  const begin: Lab['begin'] = (args, more = {}) => {
    const [command, ...rest] = [...(more.wrap ?? []), process.execPath, BIN, ...args]
    return spawn(command!, rest, {
      cwd: more.cwd ?? root,
      env: withClock(withCompileCache({ ...env, ...more.env })),
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(more.timeout === undefined ? {} : { timeout: more.timeout, killSignal: 'SIGKILL' }),
    })
  }
  const cortext: Lab['cortext'] = (args, more = {}) => {
    const { cwd = root, input = '', timeout } = more
    const own = { ...env, ...more.env }
    const start = { args, cwd, input, timeout, env: withCompileCache(own) }
    const run = needsItsOwnProcess(own, more) ? undefined : runInServer(BIN, start)
    return run ?? ended(begin(args, more), input)
  }
  return {
    home,
    root,
    env,
    environment: { cwd: root, home, env, now: () => new Date(), interactive: false },
    git,
    tryGit: (...args) => succeeds(() => git(...args)),
    cortext,
    begin,
    json: async (args, more) => {
      const { code, stdout, stderr } = await cortext(args, more)
      if (code !== 0) throw new Error(`cortext ${args.join(' ')}: exit ${code}\n${stdout}${stderr}`)
      return JSON.parse(stdout)
    },
    // A hook may have started a publishing that still runs.
    remove: () => removeFolder(folder),
  }
}

/**
 * Whether the start itself matters: as another user, with a preload, or in a folder that does not exist. On Windows the
 * server cannot give a program its input.
 */
function needsItsOwnProcess(env: Record<string, string>, { wrap, cwd }: RunOptions): boolean {
  return (
    LONG ||
    process.platform === 'win32' ||
    wrap !== undefined ||
    env.NODE_OPTIONS !== undefined ||
    (cwd !== undefined && !existsSync(cwd))
  )
}

/** Writes the input of a program and waits for its end. */
export function ended(child: ChildProcess, input = ''): Promise<Run> {
  return new Promise((resolve, reject) => {
    const run: Run = { code: null, stdout: '', stderr: '' }
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      run.stdout += chunk
    })
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      run.stderr += chunk
    })
    // A program that does not read its input may be gone before all of it is written.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
    child.on('error', reject)
    child.on('close', (code) => resolve({ ...run, code }))
  })
}

/** The messages of a conversation as the verb `show` prints them. */
export async function shown(lab: Lab, id: string, options?: RunOptions): Promise<Shown[]> {
  return (await lab.json<{ messages: Shown[] }>(['show', id, '--messages', '--json'], options)).messages
}

/** `user: text` and `assistant: text`, in reading order. */
export function talk(messages: readonly Shown[]): string[] {
  return messages
    .filter((one) => one.event === undefined && (one.role === 'user' || one.role === 'assistant'))
    .map((one) => `${one.role}: ${String(one.content)}`)
}

/** Contents of all files below a folder, by relative path. */
export function filesBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {}
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'latin1')]),
  )
}

/** The lines of a conversation's messages.jsonl. */
export function recordLines(lab: Lab, path: string): string[] {
  const file = join(lab.root, path, '.session', 'messages.jsonl')
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
}

/** The path of the conversation with this name. All conversations must be of one day. */
export function conversationNamed(lab: Lab, name: string): string {
  const [day, ...others] = readdirSync(join(lab.root, 'conversations'))
  if (day === undefined || others.length > 0) throw new Error('there are conversations of several days')
  return `conversations/${day}/${name}`
}

/** Begins a conversation and saves it, so that the work tree has its session.json. */
export async function saved(lab: Lab, type: string, title: string): Promise<{ id: string; path: string }> {
  const { id, path } = await lab.json<{ id: string; path: string }>(['start', type, title, '--json'])
  await lab.json(['save', path, '--json'])
  return { id, path }
}

export function sessionFile(lab: Lab, path: string): string {
  return join(lab.root, path, '.session', 'session.json')
}

function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
