import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { paste } from '../../text/paste.ts'
import type { Handoff, Launching, Seed } from '../contract/launch.ts'
import { givenIn, jsonLines, putSeed, seedUuid, typedIn } from '../shared/setup/seed.ts'
import { isNamedAsTrusted } from './health.ts'
import { runtimeDirOfProject, transcriptPath } from './locate.ts'

/**
 * Qwen Code resumes the seed. It showed the typed command and the recap, expanded nothing in the seed, and called no
 * model before the person typed (0.24.4).
 */
export const launch: Launching = {
  shellVariables: ['QWEN_CODE', 'QWEN_CODE_SESSION_ID'],
  seed,
  place,
  native: (nativeId) => ({ args: ['--resume', nativeId] }),
}

/**
 * Puts the seed of a handoff among the client's sessions. Throws `refused` where a project that the person has not
 * expressly trusted chooses the folder of the sessions: a stranger's clone could name any folder.
 */
function place(environment: Environment, { nativeId, cwd, content }: Seed): void {
  const chosen = runtimeDirOfProject(cwd)
  if (chosen !== undefined && !isNamedAsTrusted(environment, cwd))
    throw new CortextError('refused', `${chosen} chooses where Qwen Code keeps sessions`, {
      fix: `look at "advanced.runtimeOutputDir" in ${paste`${chosen}`}, and take it out, or trust the folder: qwen, and there: /trust`,
    })
  putSeed(transcriptPath(environment, cwd, nativeId), content)
}

/**
 * The seed: a prompt, of which the client shows the `displayText`, while the model reads the command's body, the resume
 * block and the history; and the recap as the model's answer. The client shows `displayText` only where there is a
 * `hookContext` too. Every line has the key `cortext`, which the client keeps; the reader leaves such lines out.
 */
function seed(handoff: Handoff): string {
  const { nativeId, cwd, recap } = handoff
  const records = [
    {
      type: 'user',
      provenance: 'real_user',
      message: { role: 'user', parts: givenIn(handoff).map((text) => ({ text })) },
      systemPayload: { displayText: typedIn(handoff), hookContext: '' },
    },
    {
      type: 'assistant',
      provenance: 'assistant_output',
      message: { role: 'model', parts: [{ text: recap }] },
    },
  ]
  return jsonLines(
    records.map((record, index) => ({
      uuid: seedUuid(nativeId, index),
      parentUuid: index === 0 ? null : seedUuid(nativeId, index - 1),
      sessionId: nativeId,
      // Any time works.
      timestamp: `2000-01-01T00:00:0${index}.000Z`,
      cwd,
      ...record,
      cortext: { seed: true },
    })),
  )
}
