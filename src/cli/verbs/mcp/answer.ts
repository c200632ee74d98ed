import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import { openWorkspace, type Workspace } from '../../../workspace/open.ts'
import type { Arguments } from './arguments.ts'
import { bounded } from './bounded.ts'
import { contextAnswer } from './context.ts'
import type { ToolName } from './definitions.ts'
import { listed } from './list.ts'
import { showMessages } from './messages.ts'
import { listResources, readResource } from './resources.ts'
import { searchWorkspace } from './search.ts'

/** All that is loaded when a client asks for the first time: a server that nobody asks stays small. */

export interface ToolAnswer {
  content: { type: 'text'; text: string }[]
  isError?: true
  [more: string]: unknown
}

const TOOL_OF: Record<ToolName, (ws: Workspace, given: Arguments) => Promise<string>> = {
  search_workspace: searchWorkspace,
  get_context: contextAnswer,
  list_conversations: listed,
  show_messages: showMessages,
}

/**
 * Answers a call. What can go wrong is told to the model as an answer, with what to do; nothing is thrown for it.
 * The workspace is opened anew each time: it may have been made, moved or changed since.
 */
export async function callTool(
  environment: Environment,
  name: ToolName,
  given: Arguments,
): Promise<ToolAnswer> {
  try {
    return answerOf(await TOOL_OF[name](openWorkspace(environment), given))
  } catch (error) {
    return { ...answerOf(errorText(error)), isError: true }
  }
}

/** Empty where there is no workspace: clients ask this at their start, wherever that is. */
export function resourcesOf(environment: Environment) {
  try {
    return listResources(openWorkspace(environment))
  } catch (error) {
    if (error instanceof CortextError && error.code === 'no-workspace') return []
    throw error
  }
}

/** Throws what `readResource` throws, and `no-workspace`. */
export function resourceAt(environment: Environment, uri: string) {
  return readResource(openWorkspace(environment), uri)
}

export function errorText(error: unknown): string {
  if (!(error instanceof CortextError))
    return `cortext failed: ${error instanceof Error ? error.message : error}`
  return [error.message, ...(error.fix === undefined ? [] : [`To do: ${error.fix}`])].join('\n')
}

function answerOf(text: string): ToolAnswer {
  return { content: [{ type: 'text', text: bounded(text) }] }
}
