import { commitConversation } from '../../conversation/keeping/commit-conversation.ts'
import { publish } from '../../conversation/publish.ts'
import type { Environment } from '../../io/environment.ts'
import { findExact } from '../../journeys/finding/find.ts'
import { idAndName } from '../../journeys/finding/list.ts'
import { activeConversation } from '../../journeys/recording/active-conversation.ts'
import { syncAfterSave } from '../../journeys/syncing/auto.ts'
import { countOf } from '../../text/count-of.ts'
import { oneLine } from '../../text/line.ts'
import { putOnList } from '../../workspace/everywhere.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { settle } from '../first-step.ts'
import { note, say, sayJson } from '../print.ts'
import { withProgress } from '../progress/index.ts'
import { notCommittedNote, noteWaiting, publishNotes } from '../publish-notes.ts'

/** Publishes a conversation without ending it. Commits only with `--commit`. */
export async function save(
  environment: Environment,
  id: string | undefined,
  options: { commit?: boolean; json?: boolean },
): Promise<void> {
  const ws = openWorkspace(environment)
  putOnList(ws.root, environment)
  const path = id === undefined ? activeConversation(ws, 'save') : findExact(ws, id).path
  await settle(ws)
  const published = await withProgress('Saving what was said', () => publish(ws, path))
  syncAfterSave(ws)
  const commit = options.commit
    ? await commitConversation(ws, published, { onWaiting: noteWaiting })
    : undefined
  const { session, appended } = published
  if (options.json)
    return sayJson({
      ...idAndName(ws, path),
      path,
      message_count: session.message_count,
      appended,
      ...commit,
    })
  say(
    `Saved: "${oneLine(session.title)}", ${countOf(session.message_count, 'message')} (${countOf(appended, 'new line')}).`,
  )
  note(publishNotes(ws, published))
  if (commit !== undefined && 'notCommitted' in commit) note(notCommittedNote(commit, path))
}
