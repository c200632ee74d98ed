import { tokensOf } from '../../conversation/tokens.ts'
import { reconcile } from '../../session/reconcile.ts'
import type { SessionFile } from '../../session/schema.ts'
import type { RecordRead } from '../../store/record/index.ts'

/**
 * Counts the messages and tokens of a record. The counts in session.json may include lines that cannot be read now. So
 * if there are such lines, the number of messages does not become less, and the number of tokens stays.
 */
export function countRecord(
  session: SessionFile,
  { lines, pruned, problems }: RecordRead,
): Pick<SessionFile, 'message_count' | 'token_count' | 'last_active'> {
  const { session: plan, messages } = reconcile(session, lines, [], pruned)
  const { message_count, last_active } = plan
  if (problems.some(({ kind }) => kind === 'not-a-message'))
    return {
      message_count: Math.max(message_count, session.message_count),
      token_count: session.token_count,
      last_active,
    }
  return { message_count, token_count: tokensOf(messages), last_active }
}
