import { join } from 'node:path'
import { CortextError } from '../../errors.ts'
import { sha256 } from '../../hash.ts'
import type { Environment } from '../../io/environment.ts'
import { paste } from '../../text/paste.ts'
import type { Handoff, LaunchSpec } from '../contract/launch.ts'
import { putSeed } from '../shared/setup/put-seed.ts'
import { isNamedAsTrusted } from './health.ts'
import { runtimeDirOfProject, transcriptPath } from './locate.ts'

/** Starts Qwen Code's own resume. Pure. */
export function native({ nativeId, cwd }: { nativeId: string; cwd: string }): LaunchSpec {
  return { command: 'qwen', args: ['--resume', nativeId], env: {}, cwd, files: [] }
}

/**
 * Starts Qwen Code's own resume of a seed, which `prepare` puts among its sessions. Qwen Code showed the typed command
 * and the recap, expanded nothing in the seed, and called no model before the person typed (0.24.4). Pure.
 */
export function handoff(intent: Handoff): LaunchSpec {
  const path = join(intent.folder, `qwen-${intent.nativeId}.jsonl`)
  return { ...native(intent), files: [{ path, content: seed(intent) }] }
}

/**
 * Puts the seed of a handoff among the client's sessions. Throws `refused` where a project that the person has not
 * expressly trusted chooses the folder of the sessions: a stranger's clone could name any folder.
 */
export function prepare(environment: Environment, { files, cwd, args }: LaunchSpec): void {
  const chosen = runtimeDirOfProject(cwd)
  if (files.length > 0 && chosen !== undefined && !isNamedAsTrusted(environment, cwd))
    throw new CortextError('refused', `${chosen} chooses where Qwen Code keeps sessions`, {
      fix: `look at "advanced.runtimeOutputDir" in ${paste`${chosen}`}, and take it out, or trust the folder: qwen, and there: /trust`,
    })
  for (const { content } of files) putSeed(transcriptPath(environment, cwd, args.at(-1) ?? ''), content)
}

/**
 * The seed: a prompt, of which the client shows the `displayText`, while the model reads the command's body, the resume
 * block and the history; and the recap as the model's answer. The client shows `displayText` only where there is a
 * `hookContext` too. Every line has the key `cortext`, which the client keeps; the reader leaves such lines out.
 */
function seed({ nativeId, cwd, command, body, args, context, recap }: Handoff): string {
  const typed = `/${command}${args === '' ? '' : ` ${args}`}`
  const records = [
    {
      type: 'user',
      provenance: 'real_user',
      message: { role: 'user', parts: [body, context].filter(Boolean).map((text) => ({ text })) },
      systemPayload: { displayText: typed, hookContext: '' },
    },
    {
      type: 'assistant',
      provenance: 'assistant_output',
      message: { role: 'model', parts: [{ text: recap }] },
    },
  ]
  return records
    .map((record, index) => ({
      uuid: seedUuid(nativeId, index),
      parentUuid: index === 0 ? null : seedUuid(nativeId, index - 1),
      sessionId: nativeId,
      // Any time works.
      timestamp: `2000-01-01T00:00:0${index}.000Z`,
      cwd,
      ...record,
      cortext: { seed: true },
    }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
}

/** Makes a UUID of version 8 (RFC 9562) from the new session's id, so that the same handoff gives the same file. */
function seedUuid(nativeId: string, index: number): string {
  const hex = sha256(`cortext-seed\0${nativeId}\0${index}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
