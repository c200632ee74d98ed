import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import { LIST_ALL } from '../../../session/resumable-lines.ts'
import { safeLine } from '../../../session/resume-block.ts'
import { cutAtWord } from '../../../text/line.ts'
import { openWorkspace, type Workspace } from '../../../workspace/open.ts'
import type { Arguments } from './arguments.ts'
import { boundAnswer, DATA } from './bounded.ts'
import { contextAnswer } from './context.ts'
import { parametersOf, type ToolName } from './definitions.ts'
import { listAnswer } from './list.ts'
import { showMessages } from './messages.ts'
import { searchWorkspace } from './search.ts'

/**
 * This file is loaded when the client first calls a tool, and resources.ts when it asks for resources. A server that
 * is never asked stays small.
 */

export interface ToolAnswer {
  content: { type: 'text'; text: string }[]
  isError?: true
  [more: string]: unknown
}

const HANDLERS: Record<ToolName, (ws: Workspace, given: Arguments) => Promise<string>> = {
  search_workspace: searchWorkspace,
  get_context: contextAnswer,
  list_conversations: listAnswer,
  show_messages: showMessages,
}

/**
 * Answers a call. An error becomes an answer, with its fix if there is one; nothing is thrown. Each call opens the
 * workspace again, because the workspace may have changed since the last call.
 */
export async function callTool(
  environment: Environment,
  name: ToolName,
  given: Arguments,
): Promise<ToolAnswer> {
  try {
    const answer = await HANDLERS[name](openWorkspace(environment), given)
    return answerOf([...unknownIn(name, given), answer].join('\n'))
  } catch (error) {
    const isUsage = error instanceof CortextError && error.code === 'usage'
    const lines = [errorText(error), ...(isUsage ? unknownIn(name, given) : [])]
    return { ...answerOf(lines.join('\n')), isError: true }
  }
}

export function errorText(error: unknown): string {
  if (!(error instanceof CortextError))
    return `cortext failed: ${error instanceof Error ? error.message : error}`
  const fix =
    error.fix === LIST_ALL ? 'list_conversations or search_workspace, and take an id from there' : error.fix
  // Further lines name conversations.
  const listed = error.message.includes('\n') ? [DATA] : []
  return [...listed, error.message, ...(fix === undefined ? [] : [`To do: ${fix}`])].join('\n')
}

/**
 * Returns a line that names unknown arguments, because a filter with a wrong name has no effect. There is no error:
 * some clients add arguments of their own.
 */
function unknownIn(name: ToolName, given: Arguments): string[] {
  const known = parametersOf(name)
  const accepted: string[] = name === 'search_workspace' ? [...known, 'query'] : known
  const unknown = Object.keys(given).filter((one) => !accepted.includes(one))
  if (unknown.length === 0) return []
  return [
    `Not used: ${cutAtWord(safeLine(unknown.join(', ')), 100)}. The parameters of ${name}: ${known.join(', ')}.`,
  ]
}

function answerOf(text: string): ToolAnswer {
  return { content: [{ type: 'text', text: boundAnswer(text) }] }
}
