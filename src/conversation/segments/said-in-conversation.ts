import type { Reading } from '../../clients/contract/reading.ts'
import { afterResume, isOwnCommand } from '../../session/control-turns.ts'
import { isPrompt } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import type { Segment } from '../../store/machine/binding.ts'

/**
 * The messages of a reading that were said in the segment's conversation. The history that a resume brings into its
 * session was not. Neither is a stop or a resume that runs: the segment will end where that turn began, and another
 * program may publish before it does.
 */
export function saidInConversation(
  { to, pending }: Pick<Segment, 'to' | 'pending'>,
  { messages, facts }: Pick<Reading, 'messages' | 'facts'>,
): Message[] {
  const said = pending === true ? afterResume(messages) : messages
  if (to !== undefined) return said
  const last = said.findLastIndex(isPrompt)
  // Until a pending segment begins, a turn that has not ended may still be one that resumes.
  const isOutside = isOwnCommand(said[last]) || (pending === true && !facts.settled)
  return isOutside ? said.slice(0, Math.max(0, last)) : said
}
