import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Entry } from '../clients/hook-facts.ts'
import { withCompileCache } from '../helpers/node-starts.ts'
import { BIN, type Lab, openLab, type Run } from '../helpers/workspace-lab.ts'
import { ClientProcess } from './client-process.ts'

const LINKED = 'linked'
const FAULTY = fileURLToPath(new URL('faulty.cjs', import.meta.url))

/** Fault of the programs that one call starts: a kill, a full disk, or half a write, at the n-th change of the disk. */
export interface Fault {
  kind: 'killed' | 'full' | 'short'
  at: number
}

/** A person's machine with a workspace and `cortext` on PATH. */
export interface World {
  lab: Lab
  root: string
  /** A linked worktree of the same repository; only in a world with git. */
  linked: string
  /** Git does not see the workspace, and all work trees have one list of conversations. */
  isPrivate: boolean
  /** The work trees that are there now; the main one is the first. */
  trees(): string[]
  /** Adds a linked worktree, on a branch of its own or detached. Git may refuse it. */
  addTree(path: string, number: number): void
  /** Whether the workspace is in a repository now. */
  hasGit(): boolean
  /** Client and event → the command lines that `init` has written. */
  hooks: Record<string, Record<string, string>>
  client(): ClientProcess
  /** Runs a command line of a terminal. */
  type(args: string[], more?: { fault?: Fault | undefined; cwd?: string }): Promise<Run>
  /** Returns the document that a verb prints. Throws when the verb fails. */
  json<T>(args: string[], cwd?: string): Promise<T>
  /** Kinds of the faults that have happened so far. */
  met(): string[]
  /** Waits until no background process is left. */
  settled(): Promise<void>
  end(): Promise<void>
}

/** Makes a world. Without `git` the workspace is in no repository at first. */
export async function openWorld({ git = true, isPrivate = false } = {}): Promise<World> {
  const begun = { name: 'faults', by: async (lab: Lab) => commitAll(lab, isPrivate) }
  const init = isPrivate ? 'private' : 'shared'
  const lab = await openLab(git ? { init, begun } : { git: 'none' })
  const linked = join(lab.root, '..', LINKED)
  const linkedTrees = new Set([linked])
  if (git) lab.git('worktree', 'add', '--quiet', '-b', LINKED, linked)
  const at = (name: string) => join(lab.home, name)
  const [bin, files, spawned, met] = [at('bin'), at('files'), at('spawned'), at('met')]
  for (const folder of [bin, files]) mkdirSync(folder)
  writeFileSync(join(bin, 'cortext'), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  chmodSync(join(bin, 'cortext'), 0o755)
  const env = withCompileCache({
    ...lab.env,
    PATH: `${bin}:${lab.env.PATH}`,
    NODE_OPTIONS: `--require ${FAULTY}`,
    SPAWNED: spawned,
    MET: met,
  })
  const clients: ClientProcess[] = []
  const idle: ClientProcess[] = []

  const world: World = {
    lab,
    root: lab.root,
    linked,
    isPrivate,
    trees: () => [lab.root, ...[...linkedTrees].filter((tree) => existsSync(join(tree, '.git')))],
    addTree(path, number) {
      const branch = number % 2 === 0 ? ['--detach'] : ['-b', `tree-${number}`]
      if (lab.tryGit('worktree', 'add', '--quiet', ...branch, path)) linkedTrees.add(path)
    },
    hasGit: () => existsSync(join(lab.root, '.git')),
    hooks: {
      claude: hooksIn(lab, '.claude/settings.local.json'),
      gemini: hooksIn(lab, '.gemini/settings.json'),
    },
    client() {
      const client = new ClientProcess(files, env)
      clients.push(client)
      return client
    },
    async type(args, { fault, cwd } = {}) {
      const terminal = idle.pop() ?? world.client()
      const ran = await terminal.run({
        command: shellLine(args),
        cwd: cwd ?? lab.root,
        env: variablesOf(fault),
      })
      idle.push(terminal)
      return ran
    },
    // Not in a terminal: most of the time goes into these checks.
    json: (args, cwd) => lab.json(args, { env: { PATH: env.PATH! }, ...(cwd === undefined ? {} : { cwd }) }),
    met: () => (existsSync(met) ? readFileSync(met, 'utf8').trimEnd().split('\n') : []),
    async settled() {
      if (!existsSync(spawned)) return
      const pids = readFileSync(spawned, 'utf8').trim().split('\n').map(Number)
      writeFileSync(spawned, '')
      for (const pid of pids.filter(Boolean))
        for (let tries = 0; isRunning(pid); tries++) {
          if (tries > 2_000) throw new Error(`process ${pid} does not end`)
          await sleep(10)
        }
    },
    async end() {
      await world.settled()
      await Promise.all(clients.map((client) => client.end('killed')))
      lab.remove()
    },
  }
  return world
}

function shellLine(args: readonly string[]): string {
  return ['cortext', ...args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`)].join(' ')
}

export function variablesOf(fault: Fault | undefined): Record<string, string> {
  if (fault === undefined) return {}
  return { [{ killed: 'DIE_AT', full: 'FULL_AT', short: 'SHORT_AT' }[fault.kind]]: String(fault.at) }
}

/** Commits the workspace after `init`, or a file of the person's where git does not see the workspace. */
export function commitAll({ root, git }: Lab, isPrivate = false): void {
  if (isPrivate) writeFileSync(join(root, '.gitignore'), '/.claude/worktrees/\n')
  git('add', '--all')
  git('commit', '--quiet', '--message=workspace')
  git('tag', 'workspace')
}

/** Each event with a line for sh that starts its hook as the client does. */
function hooksIn({ root }: Lab, file: string): Record<string, string> {
  const { hooks } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
    hooks: Record<string, { hooks: Entry[] }[]>
  }
  return Object.fromEntries(
    Object.entries(hooks).map(([event, [entry]]) => {
      const { command, args, env = {} } = entry!.hooks[0]!
      const variables = Object.entries(env).map(([name, value]) => `export ${name}=${value}; `)
      return [
        event,
        args === undefined ? `${variables.join('')}${command}` : ['exec', command, ...args].join(' '),
      ]
    }),
  )
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
