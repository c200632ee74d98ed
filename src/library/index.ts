import { resolve } from 'node:path'
import { currentEnvironment } from '../io/environment.ts'
import { appendTurn, beginAnew } from '../journeys/agent-loop/append-turn.ts'
import { checkKey, findByKey } from '../journeys/agent-loop/by-key.ts'
import { contextByKey } from '../journeys/agent-loop/context-by-key.ts'
import { readConversation } from '../journeys/conversation/read.ts'
import { openWorkspace, type Workspace } from '../workspace/open.ts'

export { CortextError, type ErrorCode } from '../errors.ts'

/**
 * The record and the context builder for an agent loop of your own. What is declared here is the package's whole
 * interface: the build makes its declaration file of this file and errors.ts alone, so no type comes from elsewhere.
 */

/** What a loop appends. Keys beyond these are kept, but for those that are the record's own. */
export interface NewMessage {
  /** A `system` message is a system prompt: taken, and not recorded. */
  role: 'user' | 'assistant' | 'tool' | 'system'
  /** Text, or parts, kept as they are; null for no text beside tool calls. */
  content: string | readonly ContentPart[] | null
  /** On an assistant's message. No id twice in a conversation. */
  tool_calls?: readonly ToolCall[]
  /** On a tool's message: the call that it answers, which stands before it. */
  tool_call_id?: string
  tool_name?: string
  is_error?: boolean
  model?: string
  /** ISO 8601 with its zone. Default: now. */
  timestamp?: string
  /** The loop's own id: what is appended again under it is not written again. */
  id?: string
  [key: string]: unknown
}

export interface ContentPart {
  type: string
  [key: string]: unknown
}

export interface ToolCall {
  id: string
  name: string
  arguments: unknown
  [key: string]: unknown
}

export interface Appended {
  /** Of the conversation, and the path of its folder in the workspace. */
  id: string
  path: string
  /** The conversation is new. */
  created: boolean
  /** Ids in the record, one for each message that was written now. */
  written: string[]
  /** Messages that were there already, by their own id. */
  alreadyThere: number
  /** System prompts that were left out. */
  systemPrompts: number
}

/** A line of the record. */
export interface StoredMessage {
  id: string
  role: 'user' | 'assistant' | 'tool' | 'system'
  content: string | ContentPart[]
  /** ISO 8601, UTC. */
  timestamp: string
  tool_calls?: ToolCall[] | undefined
  tool_call_id?: string | undefined
  tool_name?: string | undefined
  is_error?: boolean | undefined
  model?: string | undefined
  /** The line is no message but something that happened: `cleared`. */
  event?: string | undefined
  [key: string]: unknown
}

export interface ContextOptions {
  /** Tokens (o200k) that the messages may have. Default: what `model` or `window` leaves, else `resume.budget`. */
  budget?: number
  /** The model that they are for, or its window in tokens, of which a quarter is kept for the answer. */
  model?: string
  window?: number
  /** With a model or window: what else it is sent, as text, so that there is room for it. */
  systemPrompt?: string
  toolDefinitions?: string
  /** The strategy to begin with; those behind it are tried when it does not fit. */
  strategy?: string
}

/** A message to be sent to a model. */
export interface PromptMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
  /** Each is answered by a `tool` message behind it. */
  tool_calls?: ToolCall[]
  tool_call_id?: string
  tool_name?: string
}

export interface Context {
  /** Oldest first. */
  messages: PromptMessage[]
  strategy: string
  tokensUsed: number
  tokenBudget: number
  /**
   * Of these three: tool results count, notes (`system`) do not. What is neither included nor summarised is left out.
   * The state of minimal-state stands for all that is not included; what of it is told, `receipt` says.
   */
  originalMessageCount: number
  includedMessageCount: number
  summarizedMessageCount: number
  /** What of the talk is there, and where the whole of it is. */
  receipt: Receipt
  /** How the window is shared; only with `model` or `window`. */
  budget?: ContextBudget
}

/** Counts are of messages that a person or an agent said; the four fates add up to `messages`. */
export interface Receipt {
  strategy: string
  budget: number
  tokens: number
  messages: number
  fromUser: number
  whole: number
  shortened: number
  summarised: number
  leftOut: number
  toolResultsWhole: number
  toolResultsPruned: number
  toolCallsInALine: number
  /** Of the summarised ones those that a model's summary tells; the others are told mechanically. */
  byModel?: { model: string; messages: number }
  /** Of the whole history, in the workspace; '' where there is none yet. */
  record: string
  /** What lies outside it, in archives. */
  pruned?: { messages: number; archives: string[] }
}

/** Tokens, but the last. */
export interface ContextBudget {
  modelContextWindow: number
  systemPromptTokens: number
  toolDefinitionTokens: number
  reserveForResponse: number
  availableTokens: number
  currentConversationTokens: number
  utilizationPercent: number
}

/** The conversation of one key. It exists from its first turn on. */
export interface KeyedConversation {
  readonly key: string
  /** One turn, all of it or none; on disk and fsynced when it resolves. Throws `usage` or `refused`. */
  append(messages: readonly NewMessage[]): Promise<Appended>
  /** What to send to the model: built afresh, never more tokens than the budget, no tool result without its call. */
  context(options?: ContextOptions): Promise<Context>
  /** All that was said, in order, also before it was cleared; cleared and other events are lines of their own. */
  messages(): Promise<StoredMessage[]>
  /** Begins anew: contexts are empty, the record keeps everything. False where there was nothing to clear. */
  clear(): Promise<boolean>
}

export interface Store {
  /** The workspace's folder, absolute. */
  readonly root: string
  /** Throws `usage` for a text that cannot be a key: an empty one, one of more than 500 characters, a secret. */
  conversation(key: string): KeyedConversation
}

/**
 * Opens the workspace at or above a folder; `cortext init` makes one. Nothing has to be closed: every call reads and
 * writes the disk, and any number of processes may do so at once. Throws CortextError, `no-workspace` where there is
 * none.
 */
export async function openStore(folder: string): Promise<Store> {
  const cwd = resolve(folder)
  const { home, env, now } = currentEnvironment()
  const ws = openWorkspace({ cwd, home, env: { ...env }, now, interactive: false })
  return { root: ws.root, conversation: (key) => conversationOf(ws, checkKey(ws, key)) }
}

function conversationOf(ws: Workspace, key: string): KeyedConversation {
  return {
    key,
    append: (messages) => appendTurn(ws, { key, messages, nameOf: (index) => `messages[${index}]` }),
    context: (options) => contextByKey(ws, key, options),
    async messages() {
      const path = findByKey(ws, key)
      return path === undefined ? [] : readConversation(ws, path).messages
    },
    async clear() {
      const path = findByKey(ws, key)
      return path === undefined ? false : beginAnew(ws, path)
    },
  }
}
