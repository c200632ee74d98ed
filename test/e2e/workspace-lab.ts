import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Message, SessionFile } from '../../src/session/schema.ts'
import { fileNameOf } from '../../src/store/layout.ts'
import type { Segment } from '../../src/store/machine/binding.ts'
import { copyTemplate } from '../helpers/template.ts'
import { type ClaudeLab, openLab } from './claude.ts'
import type { Finished, Lab, RunOptions } from './lab.ts'
import type { Terminal } from './terminal.ts'

/** What the model reads when the person types `/workspace.stop-conversation`, and `/workspace.resume`. */
export const STOP_BODY = 'The person wants to save and stop this conversation.'
export const RESUME_BODY = 'The person wants to continue an earlier conversation'

/** A workspace on a person's machine, set up for one client: `cortext init` was run and committed. */
export interface LabWorkspace {
  cortext(args: readonly string[], options?: RunOptions): Promise<Finished>
  /** What git prints, without the last line's end. */
  git(...args: string[]): string
  /** `git status`, a path a line; untracked files one by one. */
  status(): string[]
  /** Workspace-relative paths of all conversations. */
  conversations(): string[]
  /** The state of the only conversation: what is held back from the work tree, else session.json. */
  session(path?: string): SessionFile
  /** The messages of the only conversation: the lines of messages.jsonl, or what `show` adds while words are held back. */
  messages(path?: string): Message[]
  /** `status` without documents: what git sees of what the program writes. */
  seen(): string[]
  /** Returns once what a session's end leaves behind is done. */
  settled(): Promise<void>
}

/** A person's machine with Claude Code and a workspace. */
export interface WorkspaceLab extends ClaudeLab, LabWorkspace {
  /** Leaves the client in a terminal; its exit code, once what was said is published. */
  leave(terminal: Terminal): Promise<number>
  /** Starts a client by way of cortext, once its prompt is there. */
  resume(args: readonly string[]): Promise<Terminal>
}

export async function openWorkspaceLab(
  options: { version?: string; commit?: boolean } = {},
): Promise<WorkspaceLab> {
  const lab = await openLab(options)
  const workspace = await initWorkspace(lab, 'claude')
  return {
    ...lab,
    ...workspace,
    async headless(args, run) {
      const done = await lab.headless(args, run)
      await workspace.settled()
      return done
    },
    async leave(terminal) {
      const code = await exit(terminal)
      await workspace.settled()
      return code
    },
    async resume(args) {
      const terminal = lab.terminal(['cortext', 'resume', ...args])
      await terminal.waitFor(/^─+\n❯/m)
      return terminal
    },
  }
}

/** Ends a client by its own command; its exit code. */
export async function exit(terminal: Terminal, command = '/exit'): Promise<number> {
  await terminal.submit(command)
  // On a busy machine a client did not end once in a hundred times; a second Enter harms nobody.
  return terminal.waitForExit({ timeout: 15_000 }).catch(() => {
    terminal.press('Enter')
    return terminal.waitForExit()
  })
}

/** Makes the lab's project a workspace of these clients: by `init`, or as a copy of a project where it has done the same. */
export async function initWorkspace(lab: Lab, ...clients: string[]): Promise<LabWorkspace> {
  await copyTemplate(templateName(lab, clients), lab.project, async (folder) => {
    if (folder !== lab.project) cpSync(lab.project, folder, { recursive: true })
    const here = { cwd: folder, env: lab.env }
    await init(lab, clients, here)
    execFileSync('git', ['add', '--all'], here)
    execFileSync('git', ['commit', '--quiet', '--message', 'a workspace'], here)
  })
  return workspaceOf(lab)
}

/**
 * The same in a repository with a remote, `../origin.git`, so that the workspace is private. `twin/` has the same, and
 * no cortext.
 */
export async function initPrivate(lab: Lab, ...clients: string[]): Promise<LabWorkspace> {
  const workspace = workspaceOf(lab)
  workspace.git('add', '--all')
  workspace.git('commit', '--quiet', '--message', 'a project')
  workspace.git('clone', '--quiet', '--bare', '.', '../origin.git')
  workspace.git('remote', 'add', 'origin', '../origin.git')
  workspace.git('fetch', '--quiet', 'origin')
  for (const name of ['project', 'origin.git'])
    cpSync(join(lab.folder, name), join(lab.folder, 'twin', name), { recursive: true })
  await init(lab, clients)
  return workspace
}

async function init(lab: Lab, clients: readonly string[], here?: { cwd: string }): Promise<void> {
  const done = await lab.run(['cortext', 'init', ...clients.flatMap((client) => ['--in', client])], here)
  if (done.code !== 0) throw new Error(`init failed: ${done.stderr}`)
}

function workspaceOf(lab: Lab): LabWorkspace {
  const cortext = (args: readonly string[], run?: RunOptions) => lab.run(['cortext', ...args], run)
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: lab.project, env: lab.env, encoding: 'utf8' }).trimEnd()
  const conversations = () => conversationsIn(lab.project)
  const only = (path = onlyOne(conversations())) => path
  const metadata = join(lab.project, '.git', 'cortext', 'metadata')
  const status = () =>
    git('status', '--porcelain', '--untracked-files=all')
      .split('\n')
      .filter((line) => line !== '')

  return {
    cortext,
    git,
    status,
    conversations,
    session: (path) =>
      heldBack(metadata, only(path)) ??
      JSON.parse(readFileSync(join(lab.project, only(path), '.session/session.json'), 'utf8')),
    messages(path) {
      const one = only(path)
      if (heldBack(metadata, one) === undefined)
        return linesOf(join(lab.project, one, '.session/messages.jsonl')).map((line) => JSON.parse(line))
      const show = ['show', one.split('/').slice(-2).join('/'), '--messages', '--json']
      const given = execFileSync(join(lab.bin, 'cortext'), show, {
        cwd: lab.project,
        env: lab.env,
        encoding: 'utf8',
        maxBuffer: 2 ** 30,
      })
      return JSON.parse(given).messages
    },
    seen: () => status().filter((line) => !/^.. conversations\/[^/]+\/[^/]+\/[a-z]+\.md$/.test(line)),
    settled: () =>
      expect.poll(() => allSettled(join(lab.project, '.git', 'cortext', 'bindings'), metadata)).toBe(true),
  }
}

/**
 * The same for projects that hold the same files before `init`, for the same clients. Without clients, `init` looks for
 * those that are installed and not set up for all workspaces.
 */
function templateName({ project, bin, home }: Lab, clients: readonly string[]): string {
  const hash = createHash('sha256')
  const personal = join(home, '.local/state/cortext/personal')
  if (clients.length === 0)
    for (const folder of [bin, personal])
      hash.update(existsSync(folder) ? readdirSync(folder).sort().join() : '')
  for (const path of readdirSync(project, { recursive: true, encoding: 'utf8' }).sort())
    if (!path.startsWith('.git/') && statSync(join(project, path)).isFile())
      hash.update(`${path}\0${readFileSync(join(project, path), 'base64')}\n`)
  return `workspace-${[...clients, hash.digest('hex').slice(0, 12)].join('-')}`
}

/** How often the instructions of `/workspace.brainstorm` stand in what a model reads. */
export function bodiesIn(text: string): number {
  return text.split("You are the person's thinking partner in a brainstorm.").length - 1
}

/** Role and text of what was said, a line each; tool messages and events apart. */
export function saidIn(messages: readonly Message[]): string[] {
  return messages
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map(({ role, content }) => `${role}: ${textIn(content)}`)
}

export function textIn(content: Message['content']): string {
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')
}

/** What the agent runs when the stop command tells it to. */
export function stopWith(summary: string, flags = ''): string {
  return `cortext agent stop ${flags}--summary "${quotable(summary)}"`
}

/** What the agent's stop prints. */
export function stopped(title: string, summary: string): string {
  return [
    'Session saved.',
    '',
    `Conversation "${title}" has been paused.`,
    'You can continue later with /workspace.resume',
    '',
    `Summary: ${summary}\n`,
  ].join('\n')
}

/** What the agent runs when the resume command tells it to. */
export function resumeInSession(query: string): string {
  return query === '' ? 'cortext agent resume' : `cortext agent resume --query "${quotable(query)}"`
}

/** What the commands tell the agent to make of a text before it writes it between double quotes. */
export function quotable(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replace(/["`\\$!]/g, '')
}

/** What the end of a session does is done by a process that outlives the client: it saves the conversation as paused. */
function allSettled(bindings: string, metadata: string): boolean {
  if (!existsSync(bindings)) return true
  const segments = readdirSync(bindings)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => JSON.parse(readFileSync(join(bindings, name), 'utf8')).segments as Segment[])
  const live = new Set(segments.flatMap(({ to, conversation }) => (to === undefined ? conversation : [])))
  return segments.every(
    ({ to, from, published_to, conversation }) =>
      to === undefined ||
      to === (published_to ?? from) ||
      live.has(conversation) ||
      (heldBack(metadata, conversation)?.status ?? 'active') !== 'active',
  )
}

/** The state that the work tree does not have yet. */
function heldBack(metadata: string, conversation: string): SessionFile | undefined {
  const file = join(metadata, `${fileNameOf(conversation)}~held.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).session : undefined
}

function conversationsIn(project: string): string[] {
  const folder = join(project, 'conversations')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((day) => readdirSync(join(folder, day)).map((name) => `conversations/${day}/${name}`))
    .sort()
}

function onlyOne(paths: string[]): string {
  if (paths.length !== 1) throw new Error(`${paths.length} conversations instead of one: ${paths.join(', ')}`)
  return paths[0]!
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').filter(Boolean) : []
}
