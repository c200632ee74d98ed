import { type GeminiLab, openGeminiLab, promptOf } from './gemini.ts'
import { type Block, tool } from './reply.ts'
import { say as sayFast } from './say.ts'
import type { Terminal } from './terminal.ts'
import { initWorkspace, type LabWorkspace } from './workspace-lab.ts'

/** A person's machine with Gemini CLI and a workspace. */
export interface GeminiWorkspaceLab extends GeminiLab, LabWorkspace {
  /** Starts Gemini CLI by way of cortext, once its prompt is there. */
  resume(args: readonly string[]): Promise<Terminal>
}

export async function openGeminiWorkspaceLab(
  options?: Parameters<typeof openGeminiLab>[0],
): Promise<GeminiWorkspaceLab> {
  const lab = await openGeminiLab(options)
  return {
    ...lab,
    ...(await initWorkspace(lab, 'gemini')),
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
  await sayFast(terminal, typed, answer, 500)
  await pause(500)
}

/** Ends the client; its exit code. */
export async function leave(terminal: Terminal): Promise<number> {
  const pressTwice = async () => {
    terminal.press('C-c')
    await pause(300)
    terminal.press('C-c')
  }
  await pressTwice()
  // On a busy machine one of them came while the client was still starting, and was lost.
  return terminal.waitForExit({ timeout: 15_000 }).catch(async () => {
    await pressTwice()
    return terminal.waitForExit()
  })
}

/** The client names session files after the minute of their start. */
export function nextMinute(): Promise<void> {
  return pause(60_500 - (Date.now() % 60_000))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
