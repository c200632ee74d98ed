import { asSlashCommand } from '../../session/control-turns.ts'
import { textOf } from '../../session/live-path.ts'
import type { Message, SessionFile } from '../../session/schema.ts'
import { originOf } from '../../session/sharing/origin.ts'
import type { Segment } from '../../store/machine/binding.ts'
import { surveyBindings } from '../../store/machine/list-bindings.ts'
import type { Workspace } from '../../workspace/open.ts'
import { isDocumentFresh } from './document.ts'

/**
 * Whether nobody began this conversation as a brainstorm, although session.json says so: earlier builds gave this
 * type to every import without a type, and to every session that a stop adopted. True only if that is certain: the
 * conversation was imported or adopted and never resumed, no message in it typed or ran the command, and nobody wrote
 * its document. A resume gives the instructions of the type, so after one the type may be meant.
 * `messages` are those of the record, pruned ones too.
 */
export function isMistyped(
  ws: Workspace,
  { path, session }: { path: string; session: SessionFile },
  messages: () => Iterable<Message>,
): boolean {
  const { agent_config: agent, key, conversation_type: type } = session
  if (type !== 'brainstorm' || agent.command !== '/workspace.brainstorm' || key !== undefined) return false
  // Now no hash is written for a command that has not run.
  if (!/^sha256:/.test(agent.system_prompt_hash ?? '')) return false
  const segments = segmentsOf(ws, path)
  if (!wasImported(session) && segments[0]?.how !== 'adopt') return false
  if (segments.some(({ how }) => how === 'resume')) return false
  if (!isDocumentFresh(ws, path, session)) return false
  return ![...messages()].some(begins)
}

/** An import makes the conversation's origin from its native session, so it is the same in every clone. */
function wasImported({ origin, agent_sessions: sessions }: SessionFile): boolean {
  return sessions.some(({ client, native_id }) => origin === originOf(client, native_id))
}

/** The segments of a conversation that this machine knows, the oldest first. */
function segmentsOf({ local }: Workspace, path: string): Segment[] {
  // A survey changes no file, also where a binding cannot be read.
  return surveyBindings(local)
    .bindings.flatMap(({ segments }) => segments.filter(({ conversation }) => conversation === path))
    .sort((a, b) => (a.started_at < b.started_at ? -1 : 1))
}

/** Whether a message is the command, a call that begins a conversation, or the event of a resume. */
function begins(message: Message): boolean {
  if (message.event === 'resumed') return true
  if (/^\s*\/workspace\.brainstorm\b/.test(asSlashCommand(textOf(message)))) return true
  return /\bcortext\b.{0,40}\bstart\b/.test(JSON.stringify(message.tool_calls ?? ''))
}
