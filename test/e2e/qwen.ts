import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesBelow } from '../clients/fixtures.ts'
import { scriptFor, versionsOf } from './install.ts'
import { type Finished, type Lab, openLab as openPlainLab, type RunOptions } from './lab.ts'
import { type Block, tool } from './reply.ts'
import type { Terminal } from './terminal.ts'
import { exit, initWorkspace, type LabWorkspace } from './workspace-lab.ts'

/** A person's machine with one version of Qwen Code, past its first-run questions. */
type QwenLab = Lab & QwenHere

/** One version of Qwen Code on a machine. */
export interface QwenHere {
  readonly version: string
  /** `qwen …args -p prompt` */
  headless(said: string, args?: readonly string[], options?: RunOptions): Promise<Finished>
  /** `qwen …args` in a terminal, once its prompt is there. */
  interactive(args?: readonly string[]): Promise<Terminal>
  /** Paths of the sessions, oldest name first. */
  transcripts(): string[]
  /** Writes a file of the project. */
  put(path: string, content: string): void
}

/** A person's machine with Qwen Code and a workspace. */
export interface QwenWorkspaceLab extends QwenLab, LabWorkspace {
  /** Leaves the client in a terminal; its exit code, once what was said is published. */
  leave(terminal: Terminal): Promise<number>
  /** Starts a client by way of cortext, once its prompt is there. */
  resume(args: readonly string[]): Promise<Terminal>
}

/** What Qwen Code needs in its environment. */
export const qwenEnv = (port: number): Record<string, string> => ({
  OPENAI_API_KEY: 'a-dummy-key-for-tests-only',
  OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
  OPENAI_MODEL: 'scripted',
  COLORTERM: 'truecolor',
  // Otherwise the client starts itself a second time, with more memory than it needs here.
  QWEN_CODE_NO_RELAUNCH: 'true',
  QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
})

interface QwenOptions {
  version?: string
  /** Goes over what `~/.qwen/settings.json` holds here. */
  userSettings?: object
}

async function openQwenLab(options: QwenOptions = {}): Promise<QwenLab> {
  const lab = await openPlainLab(qwenEnv)
  return { ...lab, ...putQwen(lab, options) }
}

/** Puts Qwen Code on a machine. */
export function putQwen(
  lab: Lab,
  { version = versionsOf('qwen').at(-1)!, userSettings }: QwenOptions = {},
): QwenHere {
  writeFileSync(join(lab.bin, 'qwen'), scriptFor('qwen', version), { mode: 0o755 })
  const own = join(lab.home, '.qwen')
  mkdirSync(own)
  writeFileSync(join(own, 'settings.json'), JSON.stringify({ ...FIRST_RUN_DONE, ...userSettings }))
  return {
    version,
    headless: (said, args = [], run) => lab.run(['qwen', ...args, '-p', said], run),
    async interactive(args = []) {
      const terminal = lab.terminal(['qwen', ...args], { cols: 140, rows: 42 })
      await qwenPrompt(terminal)
      return terminal
    },
    transcripts: () =>
      filesBelow(join(own, 'projects'))
        .filter((path) => /\/chats\/[^/]*\.jsonl$/.test(path))
        .map((path) => join(own, 'projects', path)),
    put(path, content) {
      mkdirSync(dirname(join(lab.project, path)), { recursive: true })
      writeFileSync(join(lab.project, path), content)
    },
  }
}

/** Returns once Qwen Code can be typed to. The prompt is shown before the command files are loaded. */
export async function qwenPrompt(terminal: Terminal): Promise<void> {
  await terminal.waitFor('Type your message', { timeout: 60_000 })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
}

export async function openWorkspaceLab(options: QwenOptions = {}): Promise<QwenWorkspaceLab> {
  const lab = await openQwenLab(options)
  const workspace = await initWorkspace(lab, 'qwen')
  return {
    ...lab,
    ...workspace,
    async headless(said, args, run) {
      const done = await lab.headless(said, args, run)
      await workspace.settled()
      return done
    },
    async leave(terminal) {
      const code = await leaveQwen(terminal)
      await workspace.settled()
      return code
    },
    async resume(args) {
      const terminal = lab.terminal(['cortext', 'resume', ...args], { cols: 140, rows: 42 })
      await qwenPrompt(terminal)
      return terminal
    },
  }
}

export function leaveQwen(terminal: Terminal): Promise<number> {
  return exit(terminal, '/quit')
}

/** What the agent runs in the shell. */
export function qwenShell(command: string): Block {
  return tool('run_shell_command', { command, description: 'a scripted command', is_background: false })
}

const FIRST_RUN_DONE = {
  security: { auth: { selectedType: 'openai' } },
  telemetry: { enabled: false },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
  ui: { theme: 'Default', hideTips: true, hideBanner: true, enableFollowupSuggestions: false },
  // Otherwise the client asks the model whether a call may run.
  tools: { approvalMode: 'yolo', useRipgrep: false, shell: { enableInteractiveShell: false } },
  model: { generationConfig: { contextWindowSize: 1_000_000 } },
  // Each of these asks the model once more after a turn.
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
}
