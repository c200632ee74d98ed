import { join } from 'node:path'
import { sha256 } from '../../hash.ts'
import type { Handoff, LaunchSpec } from '../contract/launch.ts'

/** The launch of Claude Code's own resume. Pure. */
export function native({ nativeId, cwd }: { nativeId: string; cwd: string }): LaunchSpec {
  return { command: 'claude', args: ['--resume', nativeId], env: {}, cwd, files: [] }
}

/**
 * Lets the client fork a seed transcript into the new session. In a test with 1 MB of history, the client kept every
 * word and expanded nothing. It called no model before the person typed (2.1.197, 2.1.330). Pure.
 */
export function handoff(intent: Handoff): LaunchSpec {
  const path = join(intent.folder, `claude-${intent.nativeId}.jsonl`)
  return {
    command: 'claude',
    args: ['--resume', path, '--fork-session', '--session-id', intent.nativeId],
    env: {},
    cwd: intent.cwd,
    files: [{ path, content: seed(intent) }],
  }
}

/**
 * The seed contains the command as Claude Code records it, the command's body, the context, and the recap as the
 * model's answer.
 */
function seed(intent: Handoff): string {
  const { command, body, args } = intent
  const typed = [
    `<command-message>${command}</command-message>`,
    `<command-name>/${command}</command-name>`,
    ...(args === '' ? [] : [`<command-args>${args}</command-args>`]),
  ].join('\n')
  const records = [
    { type: 'user', message: { role: 'user', content: typed } },
    ...[body, intent.context]
      .filter(Boolean)
      .map((text) => ({ type: 'user', isMeta: true, message: userText(text) })),
    // If the last record is not an answer, the client adds an answer of its own.
    { type: 'assistant', message: recap(intent.recap) },
  ]
  const session = seedUuid(intent.nativeId, 'session')
  return records
    .map((record, index) => ({
      parentUuid: index === 0 ? null : seedUuid(intent.nativeId, index - 1),
      isSidechain: false,
      ...record,
      uuid: seedUuid(intent.nativeId, index),
      // Any time works, but the client does not load a record without a time.
      timestamp: `2000-01-01T00:00:0${index}.000Z`,
      cwd: intent.cwd,
      sessionId: session,
      // A fork keeps unknown keys. The reader leaves out records with this key.
      cortext: { seed: true },
    }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
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

/** Makes a UUID of version 8 (RFC 9562) from the new session's id, so that the same handoff gives the same file. */
function seedUuid(nativeId: string, part: string | number): string {
  const hex = sha256(`cortext-seed\0${nativeId}\0${part}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
