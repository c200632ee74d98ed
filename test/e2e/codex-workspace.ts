import { setTimeout as sleep } from 'node:timers/promises'
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

/** Answers the question of Codex CLI at its start: it goes on, and runs none of our hooks. */
export async function untrusting(terminal: Terminal): Promise<void> {
  const asked = (screen: string) => screen.includes('Hooks need review')
  await terminal.waitFor(asked, { timeout: 60_000 })
  for (const key of ['3', 'Enter', '3', 'Enter']) {
    // A key that comes before the question can be answered is lost.
    await sleep(500)
    if (asked(terminal.screen())) terminal.press(key)
  }
  await terminal.waitFor((screen) => !asked(screen) && /^› /m.test(screen))
}

/** Ends Codex CLI; its exit code, once what was said is published. */
export async function leaveWorkspace(lab: CodexWorkspaceLab, terminal: Terminal): Promise<number> {
  const code = await leaveCodex(terminal)
  await lab.settled()
  return code
}
