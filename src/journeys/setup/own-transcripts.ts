import type { Client } from '../../clients/contract/client.ts'
import type { Environment } from '../../io/environment.ts'
import { removeTranscript } from '../../io/transcripts.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'

/**
 * Removes the transcripts that cortext wrote for recorded sessions, because the client writes none, and folders that
 * are then empty. Their messages are published, and are still in the client's own store. Transcripts of other
 * workspaces stay. Returns absolute paths.
 */
export function removeOwnTranscripts(
  environment: Environment,
  { root, local, clients }: { root: string; local: string; clients: readonly Client[] },
): string[] {
  const ours = clients.filter((client) => client.sessions.refresh !== undefined)
  const paths = listBindings(local).flatMap(({ client: id, native_id, transcript }) => {
    const client = ours.find((one) => one.id === id)
    return client?.sessions.transcriptPath(environment, root, native_id) === transcript ? [transcript] : []
  })
  for (const path of paths) removeTranscript(path)
  return paths
}
