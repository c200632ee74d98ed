import { sentencesIn } from '../../context/state/sentences.ts'
import type { History } from '../../context/strategy.ts'
import { callKey, isPrompt, isTalk, sinceCleared, textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { commandOf } from '../../session/tool-use.ts'
import { shortLine } from '../../text/line.ts'

const MAX_LINE = 200

/**
 * Returns the attempts that were dropped, in the order of the record:
 * - prompts that a rewind took back
 * - calls that the person refused
 * - sentences in which something is given up, recognised by English words
 *
 * `messages` is the whole record; `history` is its live path.
 */
export function droppedIn(
  messages: readonly Message[],
  { live, answers }: Pick<History, 'live' | 'answers'>,
): string[] {
  const liveMessages = new Set(live)
  const dropped = sinceCleared(messages).flatMap((message) => {
    if (!liveMessages.has(message)) return isPrompt(message) ? takenBackLines(message) : []
    return [...givenUpLines(message), ...refusedLines(message, answers)]
  })
  return [...new Set(dropped)]
}

function takenBackLines(message: Message): string[] {
  const asked = shortLine(textOf(message), MAX_LINE)
  return asked === '' ? [] : [`Taken back: ${asked}`]
}

const GIVEN_UP =
  /\b(?:revert(?:ed|ing)?|roll(?:ed|ing) (?:it |that |this )?back|undid|undo(?:ne|ing)?|abandon(?:ed|ing)?|discard(?:ed|ing)?|scrap(?:ped|ping)|gave up|giv(?:en|ing) up|dropp(?:ed|ing)|ditch(?:ed|ing)?|back(?:ed|ing) out|ruled out|did(?: not|n['’]t) work|dead end)\b/i

function givenUpLines(message: Message): string[] {
  if (!isTalk(message)) return []
  // Decisions are in another list of the document.
  return sentencesIn(message)
    .filter(({ text, kind }) => kind !== 'decision' && GIVEN_UP.test(text) && !text.endsWith('?'))
    .map(({ text }) => shortLine(text, MAX_LINE))
}

function refusedLines(message: Message, { results, tools }: History['answers']): string[] {
  return (message.tool_calls ?? [])
    .filter(({ id }) => results.get(callKey(message, id))?.refused === true)
    .map((call) => `Refused: ${shortLine(commandOf(tools, call, message.client) ?? call.name, MAX_LINE)}`)
}
