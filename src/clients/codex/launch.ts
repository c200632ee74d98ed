import { join } from 'node:path'
import type { Handoff, LaunchSpec } from '../contract/launch.ts'
import { seedOf } from './seed.ts'

/**
 * Starts Codex CLI's own resume, in the folder of the thread: from another folder, Codex would ask which folder to use.
 * Pure.
 */
export function native({ nativeId, cwd }: { nativeId: string; cwd: string }): LaunchSpec {
  return { command: 'codex', args: ['resume', nativeId], env: {}, cwd, files: [] }
}

/**
 * Starts Codex CLI's own resume of a thread that `prepare` puts among Codex's threads. In a test with 200 KB of
 * history, Codex expanded nothing and called no model before the person typed (0.169.0). Pure.
 */
export function handoff(intent: Handoff): LaunchSpec {
  const path = join(intent.folder, `codex-${intent.nativeId}.jsonl`)
  return { ...native(intent), files: [{ path, content: seedOf(intent) }] }
}
