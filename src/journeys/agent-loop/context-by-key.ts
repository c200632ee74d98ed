import { basename } from 'node:path'
import { toolVocabulary } from '../../clients/all-tools.ts'
import { type BuiltMessages, buildMessages } from '../../context/messages.ts'
import { STRATEGY_NAMES } from '../../context/strategies/index.ts'
import { type ContextBudget, calculateBudget, UNKNOWN_ROOM, windowOf } from '../../context/tokens/budget.ts'
import { o200k } from '../../context/tokens/index.ts'
import { readConversation } from '../../conversation/read.ts'
import { CortextError } from '../../errors.ts'
import { contentOf, livePath } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { withoutStops } from '../../session/stopping/without-stops.ts'
import { readSummaries } from '../../store/record/summaries.ts'
import type { Workspace } from '../../workspace/open.ts'
import { checkKey, findByKey } from './by-key.ts'

export interface AgentLoopContextRequest {
  /** The most tokens that the messages may have. */
  budget?: number | undefined
  /**
   * The model that the messages are for. The budget is at most the model's window minus the system prompt, the tool
   * definitions and the reserve for the answer.
   */
  model?: string | undefined
  /** The window in tokens. It replaces the window of `model`. */
  window?: number | undefined
  systemPrompt?: string | undefined
  toolDefinitions?: string | undefined
  strategy?: string | undefined
}

export interface AgentLoopContext extends BuiltMessages {
  /** The division of the model's window; present only if a model or a window was named. */
  budget?: ContextBudget
}

/**
 * Builds the messages that an agent loop sends to its model next, between its system prompt and the new message. They
 * never have more tokens than the budget, and each tool result has its call. Returns no messages if no conversation has
 * the key. Writes nothing, and caches nothing. Throws `usage` for an invalid key, number of tokens or strategy, and
 * what readConversation throws.
 */
export async function contextByKey(
  ws: Workspace,
  key: string,
  request: AgentLoopContextRequest = {},
): Promise<AgentLoopContext> {
  checkRequest(request)
  const path = findByKey(ws, checkKey(ws, key))
  const conversation = path === undefined ? undefined : readConversation(ws, path)
  const messages = conversation?.messages ?? []
  const tokenizer = await o200k()
  const window =
    request.window ?? (request.model === undefined ? undefined : windowOf(request.model, ws.config.windows))
  const shared =
    window === undefined
      ? undefined
      : calculateBudget(
          window,
          {
            systemPrompt: request.systemPrompt ?? '',
            toolDefinitions: request.toolDefinitions ?? '',
            conversation: liveText(messages),
          },
          tokenizer,
        )
  const built = buildMessages({
    messages,
    summaries: conversation === undefined ? [] : readSummaries(conversation.folder).summaries,
    budget: Math.min(
      request.budget ?? shared?.availableTokens ?? ws.config.resume.budget ?? UNKNOWN_ROOM,
      shared?.availableTokens ?? Infinity,
    ),
    tokenizer,
    record: path === undefined ? '' : `${path}/.session/messages.jsonl`,
    project: basename(ws.root),
    tools: toolVocabulary(),
    strategy: request.strategy,
  })
  return { ...built, ...(shared === undefined ? {} : { budget: shared }) }
}

function checkRequest({ budget, window, strategy }: AgentLoopContextRequest): void {
  for (const [name, value] of Object.entries({ budget, window }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
      throw new CortextError('usage', `${name}: ${value} is not a number of tokens`, {
        fix: 'a whole number, such as 8000',
      })
  if (strategy !== undefined && !STRATEGY_NAMES.includes(strategy))
    throw new CortextError('usage', `"${strategy}" is not a strategy`, {
      fix: `one of: ${STRATEGY_NAMES.join(', ')}`,
    })
}

function liveText(messages: readonly Message[]): string {
  return withoutStops(livePath(messages))
    .map(
      (message) =>
        `${contentOf(message)}${message.tool_calls === undefined ? '' : JSON.stringify(message.tool_calls)}`,
    )
    .join('\n')
}
