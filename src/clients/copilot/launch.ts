import type { Handoff, Launching } from '../contract/launch.ts'
import { givenIn, jsonLines, putSeed, SEED_TIME, typedIn } from '../shared/setup/seed.ts'
import { transcriptPath } from './locate.ts'
import { seedId } from './read/rules.ts'

/**
 * Copilot CLI resumes the seed. It showed the command and the recap, expanded nothing in 200 KB of history, and called
 * no model before the person typed (1.0.102). `--resume` would also take a name or the beginning of an id.
 */
export const launch: Launching = {
  shellVariables: ['COPILOT_CLI', 'COPILOT_AGENT_SESSION_ID'],
  seed,
  place: (environment, { cwd, nativeId, content }) =>
    putSeed(transcriptPath(environment, cwd, nativeId), content),
  native: (nativeId) => ({ args: ['--session-id', nativeId] }),
}

/**
 * The seed contains the typed command, with the command's body and the context as the text that the model gets for it,
 * and the recap as the model's answer. The reader knows its lines by their ids.
 */
function seed(handoff: Handoff): string {
  const { nativeId, cwd, recap } = handoff
  const events = [
    {
      type: 'session.start',
      data: {
        sessionId: nativeId,
        version: 1,
        producer: 'cortext',
        copilotVersion: '1.0.102',
        startTime: SEED_TIME,
        context: { cwd },
      },
    },
    {
      type: 'user.message',
      data: { content: typedIn(handoff), transformedContent: givenIn(handoff).join('\n\n') },
    },
    {
      type: 'assistant.message',
      data: { messageId: seedId(nativeId, 'answer'), content: recap, toolRequests: [] },
    },
  ]
  return jsonLines(
    events.map(({ type, data }, index) => ({
      type,
      data,
      id: seedId(nativeId, index),
      timestamp: SEED_TIME,
      parentId: index === 0 ? null : seedId(nativeId, index - 1),
    })),
  )
}
