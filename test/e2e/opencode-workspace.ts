import { type OpenCodeLab, openLab } from './opencode.ts'
import type { Terminal } from './terminal.ts'
import { initWorkspace, type LabWorkspace } from './workspace-lab.ts'

/** A person's machine with OpenCode and a workspace. */
export interface OpenCodeWorkspaceLab extends OpenCodeLab, LabWorkspace {
  /** Leaves the client in a terminal; its exit code, once what was said is published. */
  leave(terminal: Terminal): Promise<number>
  /** Starts a client by way of cortext. */
  resume(args: readonly string[]): Promise<Terminal>
}

export async function openWorkspaceLab(
  options?: Parameters<typeof openLab>[0],
): Promise<OpenCodeWorkspaceLab> {
  const lab = await openLab(options)
  const workspace = await initWorkspace(lab, 'opencode')
  return {
    ...lab,
    ...workspace,
    async leave(terminal) {
      await terminal.submit('/exit')
      const code = await terminal.waitForExit()
      await workspace.settled()
      return code
    },
    async resume(args) {
      const terminal = lab.terminal(['cortext', 'resume', ...args], { cols: 140, rows: 42 })
      await terminal.waitFor('ctrl+p commands', { timeout: 60_000 })
      return terminal
    },
  }
}
