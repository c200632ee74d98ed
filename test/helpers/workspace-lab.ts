import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Environment } from '../../src/io/environment.ts'
import { withCompileCache } from './node-starts.ts'
import { gitEnv, tempBase } from './repository.ts'
import { copyTemplate } from './template.ts'
import { removeFolder } from './temporary.ts'

/** The built program; vitest's global setup makes it. */
export const BIN = fileURLToPath(new URL('../../dist/bin.cjs', import.meta.url))

export interface Run {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  cwd?: string
  input?: string
  env?: Record<string, string>
  /** A program that runs the program: `['setpriv', …]`. */
  wrap?: string[]
}

/** A message as `show --messages --json` gives it. */
export interface Shown {
  id: string
  role: string
  content: unknown
  event?: string
  seq?: number
  timestamp: string
}

/** A home and a project of their own, and the built program run in them. */
export interface Lab {
  home: string
  root: string
  env: Record<string, string>
  /** The same outside for what is called in this process. */
  environment: Environment
  git: (...args: string[]) => string
  /** Git that may fail: says whether it did what was asked. */
  tryGit: (...args: string[]) => boolean
  cortext: (args: string[], options?: RunOptions) => Promise<Run>
  /** The one JSON document that a successful run prints. */
  json: <T = Record<string, unknown>>(args: string[], options?: RunOptions) => Promise<T>
  /** Starts the program and leaves it running. */
  begin: (args: string[], options?: RunOptions) => ChildProcess
  remove: () => void
}

export interface LabOptions {
  /** Default: a git repository with one commit. */
  git?: 'none' | 'empty' | 'commit'
  init?: 'shared' | 'private' | 'none'
  /** What is done in the lab first. It is done once in a process, and the labs of this name begin with a copy. */
  begun?: { name: string; by: (lab: Lab) => Promise<void> }
}

/** A lab that goes when the test is over. */
export async function workspaceLab(options: LabOptions = {}): Promise<Lab> {
  const lab = await openLab(options)
  onTestFinished(lab.remove)
  return lab
}

/** The same for runs within one test (properties): whoever opens it removes it. */
export async function openLab({
  git: repository = 'commit',
  init = 'shared',
  begun,
}: LabOptions = {}): Promise<Lab> {
  const folder = realpathSync(mkdtempSync(join(tempBase(), 'cortext-lab-')))
  const lab = labIn(folder)
  // A session that is open in a lab belongs to the process that plays its client.
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
      env: withCompileCache({ ...env, ...more.env }),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  }
  const cortext: Lab['cortext'] = (args, more = {}) => ended(begin(args, more), more.input)
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
    // A hook may have left a publishing behind that is still at work.
    remove: () => removeFolder(folder),
  }
}

/** Waits for the end of a program, with all that it printed. */
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

/** All that was said in a conversation, by the verb that a person would use. */
export async function shown(lab: Lab, id: string, options?: RunOptions): Promise<Shown[]> {
  return (await lab.json<{ messages: Shown[] }>(['show', id, '--messages', '--json'], options)).messages
}

/** `user: text` and `assistant: text`, in reading order. */
export function talk(messages: readonly Shown[]): string[] {
  return messages
    .filter((one) => one.event === undefined && (one.role === 'user' || one.role === 'assistant'))
    .map((one) => `${one.role}: ${String(one.content)}`)
}

/** Every file below a folder by its relative path, with its content. */
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

/** The lines of a record as they lie in the file. */
export function recordLines(lab: Lab, path: string): string[] {
  const file = join(lab.root, path, '.session', 'messages.jsonl')
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
}

/** The path of the one conversation with this name, whichever day it was made. */
export function conversationNamed(lab: Lab, name: string): string {
  const [day, ...others] = readdirSync(join(lab.root, 'conversations'))
  if (day === undefined || others.length > 0) throw new Error('there are conversations of several days')
  return `conversations/${day}/${name}`
}

/** Begins a conversation in a terminal and saves it, so that the work tree has its session.json. */
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
