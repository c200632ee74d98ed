import { type FoundMessage, passagesIn } from '../../../journeys/finding/passages.ts'
import { type Found, searchConversations } from '../../../journeys/finding/search.ts'
import type { Query } from '../../../search/query.ts'
import type { Ranked } from '../../../search/rank.ts'
import { safeLine } from '../../../session/resume-block.ts'
import { cutAtWord } from '../../../text/line.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { type Arguments, numberIn, textIn } from './arguments.ts'
import { DATA } from './bounded.ts'

const LIMIT = 10

/** The conversations that answer best, each with its id and the messages that do. Throws `usage`. */
export async function searchWorkspace(ws: Workspace, given: Arguments): Promise<string> {
  const text = textIn(given, 'query')
  const limit = numberIn(given, 'limit') ?? LIMIT
  const searched = await searchConversations(ws, text)
  if (searched === undefined || searched.found.length === 0)
    return `Nothing was found for "${safeLine(text)}". Fewer or other words may find it.`
  const { found, query } = searched
  const hidden = found.length - limit
  return [
    DATA,
    ...found.slice(0, limit).flatMap((one) => lines(one, query)),
    ...(hidden > 0 ? [`${hidden} more conversations hold less of it: ask with a higher limit.`] : []),
    'More of one: get_context, or show_messages with its id.',
  ].join('\n')
}

function lines(one: Ranked<Found>, query: Query): string[] {
  const { path, session } = one.candidate
  const id = path.split('/').slice(-2).join('/')
  const { messages, total } = passagesIn(one, query)
  return [
    '',
    `${safeLine(id)}  [${safeLine(session.conversation_type)}] ${cutAtWord(safeLine(session.title), 100)}`,
    ...messages.map(told),
    ...(total > messages.length
      ? [`  … ${total - messages.length} more message${total - messages.length === 1 ? '' : 's'}`]
      : []),
  ]
}

function told({ message: { role, timestamp }, text }: FoundMessage): string {
  return `  ${role}, ${safeLine(timestamp.slice(0, 16))}: ${safeLine(text)}`
}
