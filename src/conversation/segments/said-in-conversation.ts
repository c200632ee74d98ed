import type { Reading } from '../../clients/contract/reading.ts'
import { afterResume, isOwnCommand, stopsIn } from '../../session/control-turns.ts'
import { isPrompt } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import type { Segment } from '../../store/machine/binding.ts'

/**
 * Returns the messages of a reading that were said in the segment's conversation. It leaves out:
 * * in a pending segment (a resume has begun in this session, and its first turn has not come yet): the history that the
 *   resume brought into the session
 * * in an imported one: what comes after a stop in words
 * * in one that has not ended: a running turn that stops or resumes the conversation. The segment will end before that
 *   turn, but another process may publish before it has
 */
export function saidInConversation(
  { to, pending, how }: Pick<Segment, 'to' | 'pending' | 'how'>,
  { messages, facts }: Pick<Reading, 'messages' | 'facts'>,
): Message[] {
  const said = pending === true ? afterResume(messages) : messages
  if (how === 'import') {
    const { rest } = stopsIn(said)
    return said.filter((message) => !rest.has(message))
  }
  if (to !== undefined) return said
  const last = said.findLastIndex(isPrompt)
  // In a pending segment, a turn that has not ended may still turn out to be a resume.
  const isOutside = isOwnCommand(said[last]) || (pending === true && !facts.settled)
  return isOutside ? said.slice(0, Math.max(0, last)) : said
}
