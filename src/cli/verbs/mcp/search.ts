import { type FoundMessage, passagesIn } from '../../../journeys/finding/passages.ts'
import { type Found, searchConversations } from '../../../journeys/finding/search.ts'
import type { Query } from '../../../search/query.ts'
import type { Ranked } from '../../../search/rank.ts'
import { safeLine } from '../../../session/resume-block.ts'
import { cutAtWord } from '../../../text/line.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { type Arguments, numberIn, textIn } from './arguments.ts'
import { DATA } from './bounded.ts'

const DEFAULT_LIMIT = 10

/** Lists the conversations that answer a query best, each with its id and best messages. Throws `usage`. */
export async function searchWorkspace(ws: Workspace, given: Arguments): Promise<string> {
  const text = textIn(given, 'query')
  const limit = numberIn(given, 'limit') ?? DEFAULT_LIMIT
  const searched = await searchConversations(ws, text)
  if (searched === undefined || searched.found.length === 0)
    return `Nothing was found for "${safeLine(text)}". Fewer or other words may find it.`
  const { found, query } = searched
  const hidden = found.length - limit
  return [
    DATA,
    ...found.slice(0, limit).flatMap((one) => hitLines(one, query)),
    ...(hidden > 0 ? [`${hidden} more conversations match less well: a higher limit shows them.`] : []),
    'More of one: get_context, or show_messages with its id.',
  ].join('\n')
}

function hitLines(one: Ranked<Found>, query: Query): string[] {
  const { path, session } = one.candidate
  const id = path.split('/').slice(-2).join('/')
  const { messages, total } = passagesIn(one, query)
  return [
    '',
    `${safeLine(id)}  [${safeLine(session.conversation_type)}] ${cutAtWord(safeLine(session.title), 100)}`,
    ...messages.map(messageLine),
    ...(total > messages.length
      ? [`  … ${total - messages.length} more message${total - messages.length === 1 ? '' : 's'}`]
      : []),
  ]
}

function messageLine({ message: { role, timestamp }, text }: FoundMessage): string {
  return `  ${role}, ${safeLine(timestamp.slice(0, 16))}: ${safeLine(text)}`
}
