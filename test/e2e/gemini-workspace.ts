import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message, SessionFile } from '../../src/session/schema.ts'
import { type GeminiLab, openGeminiLab, promptOf } from './gemini.ts'
import type { Finished, RunOptions } from './lab.ts'
import { type Block, tool } from './reply.ts'
import type { Terminal } from './terminal.ts'

/** A person's machine with Gemini CLI and a workspace: `cortext init` was run and committed. */
export interface GeminiWorkspaceLab extends GeminiLab {
  cortext(args: readonly string[], options?: RunOptions): Promise<Finished>
  /** Workspace-relative paths of all conversations. */
  conversations(): string[]
  session(path?: string): SessionFile
  /** The lines of messages.jsonl, of the only conversation; none before it was published. */
  messages(path?: string): Message[]
  /** Starts Gemini CLI by way of cortext, once its prompt is there. */
  resume(args: readonly string[]): Promise<Terminal>
}

export async function openGeminiWorkspaceLab(): Promise<GeminiWorkspaceLab> {
  const lab = await openGeminiLab()
  const cortext = (args: readonly string[], run?: RunOptions) => lab.run(['cortext', ...args], run)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: lab.project, env: lab.env })
  const only = (path = onlyOne(conversationsIn(lab.project))) => join(lab.project, path, '.session')

  const init = await cortext(['init', '--in', 'gemini'])
  if (init.code !== 0) throw new Error(`init failed: ${init.stderr}`)
  git('add', '--all')
  git('commit', '--quiet', '--message', 'a workspace')

  return {
    ...lab,
    cortext,
    conversations: () => conversationsIn(lab.project),
    session: (path) => JSON.parse(readFileSync(join(only(path), 'session.json'), 'utf8')),
    messages: (path) => linesOf(join(only(path), 'messages.jsonl')).map((line) => JSON.parse(line)),
    async resume(args) {
      const terminal = lab.terminal(['cortext', 'resume', ...args])
      await promptOf(terminal)
      return terminal
    },
  }
}

/** What the agent runs in the shell. */
export function shell(command: string): Block {
  return tool('run_shell_command', { command, description: 'a scripted command' })
}

/** Types a prompt as a person does: the client takes a fast Enter for a part of what was pasted. */
export async function say(
  terminal: Terminal,
  typed: string,
  answer: Parameters<Terminal['waitFor']>[0],
): Promise<void> {
  terminal.type(typed)
  await pause(800)
  terminal.press('Enter')
  await terminal.waitFor(answer)
  await pause(500)
}

/** Ends the client; its exit code. */
export async function leave(terminal: Terminal): Promise<number> {
  terminal.press('C-c')
  await pause(300)
  terminal.press('C-c')
  return terminal.waitForExit()
}

/** The client names session files after the minute of their start. */
export function nextMinute(): Promise<void> {
  return pause(60_500 - (Date.now() % 60_000))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
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
