import type { NativeSession } from '../../clients/contract/sessions.ts'
import { hookLanguages } from '../../clients/hook-languages.ts'
import { IMPORT_ONLY } from '../../clients/import-only.ts'
import { isOurs } from '../../conversation/worktrees.ts'
import type { Binding } from '../../store/machine/binding.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Listed } from '../finding/list.ts'

/** What is needed of a conversation to compare it with sessions. */
export type KnownConversation = Pick<
  Listed,
  'path' | 'native' | 'messages' | 'lastActive' | 'type' | 'created' | 'key'
>

export type Transcript = Pick<NativeSession, 'client' | 'nativeId' | 'transcript'>

/** A native session, and the conversations that may have a part of it. */
export interface NamedSession extends Omit<Transcript, 'transcript'> {
  binding: Binding | undefined
  namedBy: KnownConversation[]
}

/**
 * Returns the sessions that these conversations name, and the sessions whose binding is ours and has a segment in one
 * of these conversations. Leaves out clients that cortext does not know. Every list calls this function, so it loads no
 * client's code except the hook languages.
 */
export function namedSessions(ws: Workspace, conversations: readonly KnownConversation[]): NamedSession[] {
  const byPath = new Map(conversations.map((one) => [one.path, one]))
  const sessions = new Map<string, NamedSession>()
  const sessionAt = (client: string, nativeId: string): NamedSession => {
    const name = `${client} ${nativeId}`
    const session = sessions.get(name) ?? { client, nativeId, binding: undefined, namedBy: [] }
    sessions.set(name, session)
    return session
  }
  for (const one of conversations)
    for (const { client, native_id } of one.native) addConversation(sessionAt(client, native_id), one)
  for (const binding of listBindings(ws.local, ws)) {
    const paths = new Set(binding.segments.map(({ conversation }) => conversation))
    const here = [...paths].flatMap((path) => byPath.get(path) ?? [])
    if (here.length === 0 || !isOurs(ws, binding)) continue
    const session = sessionAt(binding.client, binding.native_id)
    session.binding = binding
    for (const one of here) addConversation(session, one)
  }
  const known = new Set<string>([...Object.keys(hookLanguages), ...IMPORT_ONLY])
  return [...sessions.values()].filter(({ client }) => known.has(client))
}

/** The session with this id, if one of the conversations may have a part of it. */
export function namedSession(
  ws: Workspace,
  { client, nativeId }: Pick<NativeSession, 'client' | 'nativeId'>,
  conversations: readonly KnownConversation[],
): NamedSession | undefined {
  return namedSessions(ws, conversations).find((one) => one.client === client && one.nativeId === nativeId)
}

function addConversation(session: NamedSession, conversation: KnownConversation): void {
  if (!session.namedBy.includes(conversation)) session.namedBy.push(conversation)
}
