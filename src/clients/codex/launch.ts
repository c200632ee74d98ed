import { join } from 'node:path'
import type { Handoff, LaunchSpec } from '../contract/launch.ts'
import { seedOf } from './seed.ts'

/** Starts Codex CLI's own resume, in the folder of the thread: from another one it would ask which to use. Pure. */
export function native({ nativeId, cwd }: { nativeId: string; cwd: string }): LaunchSpec {
  return { command: 'codex', args: ['resume', nativeId], env: {}, cwd, files: [] }
}

/**
 * Starts Codex CLI's own resume of a thread that `prepare` puts among its threads. This way was proved with 200 KB of
 * history (0.169.0): nothing in it is expanded, and no model is called before the person types. Pure.
 */
export function handoff(intent: Handoff): LaunchSpec {
  const path = join(intent.folder, `codex-${intent.nativeId}.jsonl`)
  return { ...native(intent), files: [{ path, content: seedOf(intent) }] }
}
