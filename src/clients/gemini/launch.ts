import type { Handoff, Launching } from '../contract/launch.ts'
import { jsonLines, SEED_TIME, typedIn } from '../shared/setup/seed.ts'
import { launchedAs } from './locate.ts'
import { SEED } from './read/rules.ts'

/**
 * Gemini CLI copies a seed session into a new one. It kept the seed's text as it was, and called no model before the
 * person typed (0.61.0). It chooses the id of the copy. Our hooks get that id, and `CORTEXT_LAUNCH` tells them which
 * launch it belongs to. We never use `-i`: it loses the history. The client deletes old sessions. Our settings in the
 * project prevent this, except where they are shared or the person has a setting for it.
 */
export const launch: Launching = {
  shellVariables: ['GEMINI_CLI'],
  showsAtResume: true,
  seed,
  withSeed: (nativeId, path) => ({ args: ['--session-file', path], env: { CORTEXT_LAUNCH: nativeId } }),
  native: (nativeId) => ({ args: ['--resume', nativeId] }),
  findLaunched: launchedAs,
}

/**
 * The seed: a message of the person and the recap as the model's answer. The client shows the command as typed; the
 * model reads the command's body, the resume block and the history.
 */
function seed(handoff: Handoff): string {
  const { command, body, context, nativeId, recap } = handoff
  // The client deletes old sessions, but its copy of the seed begins at the time of copying (0.61.0).
  const time = SEED_TIME
  return jsonLines([
    { sessionId: nativeId, projectHash: 'cortext', startTime: time, lastUpdated: time, kind: 'main' },
    {
      id: `${SEED}${nativeId}-0`,
      timestamp: time,
      type: 'user',
      content: [...(body === '' ? [] : [`[/${command}]\n\n${body}`]), context].map((text) => ({ text })),
      displayContent: [{ text: typedIn(handoff) }],
    },
    { id: `${SEED}${nativeId}-1`, timestamp: time, type: 'gemini', content: recap },
  ])
}
