import type { Handoff, Launching } from '../contract/launch.ts'
import { givenIn, jsonLines, seedUuid } from '../shared/setup/seed.ts'

/**
 * Claude Code forks a seed transcript into the new session. In a test with 1 MB of history, it kept every word and
 * expanded nothing. It called no model before the person typed (2.1.197, 2.1.330).
 */
export const launch: Launching = {
  shellVariables: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID'],
  showsAtResume: true,
  seed,
  withSeed: (nativeId, path) => ({
    args: ['--resume', path, '--fork-session', '--session-id', nativeId],
  }),
  native: (nativeId) => ({ args: ['--resume', nativeId] }),
}

/**
 * The seed contains the command as Claude Code records it, the command's body, the context, and the recap as the
 * model's answer.
 */
function seed(handoff: Handoff): string {
  const { nativeId, cwd, command, args } = handoff
  const typed = [
    `<command-message>${command}</command-message>`,
    `<command-name>/${command}</command-name>`,
    ...(args === '' ? [] : [`<command-args>${args}</command-args>`]),
  ].join('\n')
  const records = [
    { type: 'user', message: { role: 'user', content: typed } },
    ...givenIn(handoff).map((text) => ({ type: 'user', isMeta: true, message: userText(text) })),
    // If the last record is not an answer, the client adds an answer of its own.
    { type: 'assistant', message: recap(handoff.recap) },
  ]
  const sessionId = seedUuid(nativeId, 'session')
  return jsonLines(
    records.map((record, index) => ({
      parentUuid: index === 0 ? null : seedUuid(nativeId, index - 1),
      isSidechain: false,
      ...record,
      uuid: seedUuid(nativeId, index),
      // Any time works, but the client does not load a record without a time.
      timestamp: `2000-01-01T00:00:0${index}.000Z`,
      cwd,
      sessionId,
      // A fork keeps unknown keys. The reader leaves out records with this key.
      cortext: { seed: true },
    })),
  )
}

function userText(text: string) {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function recap(text: string) {
  return {
    id: 'msg_cortext_seed',
    type: 'message',
    role: 'assistant',
    // The client would take a real model's name as the session's model. This name changes nothing (observed).
    model: '<synthetic>',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  }
}
