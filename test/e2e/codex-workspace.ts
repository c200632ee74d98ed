import { type CodexLab, codexPrompt, leaveCodex, openCodexLab } from './codex.ts'
import type { Terminal } from './terminal.ts'
import { initWorkspace, type LabWorkspace } from './workspace-lab.ts'

/** A person's machine with Codex CLI and a workspace, whose hooks the person trusts unless a test says otherwise. */
export interface CodexWorkspaceLab extends CodexLab, LabWorkspace {
  /** Starts Codex CLI by way of cortext, once its prompt is there. */
  resume(args: readonly string[]): Promise<Terminal>
}

export async function openCodexWorkspaceLab({
  trustsHooks = true,
  ...options
}: Parameters<typeof openCodexLab>[0] & { trustsHooks?: boolean } = {}): Promise<CodexWorkspaceLab> {
  const lab = await openCodexLab(options)
  const workspace = await initWorkspace(lab, 'codex')
  if (trustsHooks) await lab.trustHooks()
  return {
    ...lab,
    ...workspace,
    async headless(said, args, run) {
      const done = await lab.headless(said, args, run)
      await workspace.settled()
      return done
    },
    async resume(args) {
      const terminal = lab.terminal(['cortext', 'resume', ...args])
      await codexPrompt(terminal)
      return terminal
    },
  }
}

/** Answers the question of Codex CLI at its start: it trusts our hooks (2), or goes on and runs none of them (3). */
export async function answerTrust(terminal: Terminal, choice: 2 | 3): Promise<void> {
  await terminal.waitFor('Hooks need review', { timeout: 60_000 })
  // The number may be the answer already, or only mark it.
  const isAnswered = (screen: string) => !screen.includes('Hooks need review')
  const isMarked = (screen: string) => screen.includes(`› ${choice}.`)
  await terminal.pressUntil(String(choice), (screen) => isAnswered(screen) || isMarked(screen))
  if (!isAnswered(terminal.screen())) await terminal.pressUntil('Enter', isAnswered)
  await codexPrompt(terminal)
}

/** Ends Codex CLI; its exit code, once what was said is published. */
export async function leaveWorkspace(lab: CodexWorkspaceLab, terminal: Terminal): Promise<number> {
  const code = await leaveCodex(terminal)
  await lab.settled()
  return code
}
