import { resolve } from 'node:path'
import { readConversation } from '../conversation/read.ts'
import { currentEnvironment } from '../io/environment.ts'
import { appendTurn, clearConversation } from '../journeys/agent-loop/append-turn.ts'
import { checkKey, findByKey } from '../journeys/agent-loop/by-key.ts'
import { contextByKey } from '../journeys/agent-loop/context-by-key.ts'
import { openAgain, openWorkspace, type Workspace } from '../workspace/open.ts'

export { CortextError, type ErrorCode } from '../errors.ts'

/**
 * The record and the context builder for an agent loop of your own. This file declares the package's whole interface.
 * The build makes the declaration file from only this file and errors.ts, so the types exported here use no types of
 * other files.
 */

/** A message that a loop appends. Further keys are kept, except the keys that only the record sets. */
export interface NewMessage {
  /** A `system` message is a system prompt: it is accepted but not recorded. */
  role: 'user' | 'assistant' | 'tool' | 'system'
  /** A text, or parts, which are kept as they are. Null means that there are tool calls and no text. */
  content: string | readonly ContentPart[] | null
  /** Only an assistant's message has tool calls. Each call id occurs once in a conversation. */
  tool_calls?: readonly ToolCall[]
  /** The id of the call that a tool's message answers. Only a tool's message has one, and the call comes before it. */
  tool_call_id?: string
  tool_name?: string
  is_error?: boolean
  model?: string
  /** ISO 8601 with its zone. Default: now. */
  timestamp?: string
  /** The loop's own id. A message that is appended again under the same id is not written again. */
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
  /** The id of the conversation, and the path of its folder in the workspace. */
  id: string
  path: string
  /** True when this append made the conversation. */
  created: boolean
  /** The ids that the messages written by this append have in the record. */
  written: string[]
  /**
   * How many of `written` are messages of a person or the agent. `cortext list` counts these messages. The others are
   * results of tools.
   */
  messages: number
  /** How many messages were not written, because their own `id` was in the record already. */
  alreadyThere: number
  /** How many system prompts were left out. */
  systemPrompts: number
}

/** A line of the record: a message, or an event. */
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
  /** Set when the line is not a message but something that happened, such as `cleared`. */
  event?: string | undefined
  [key: string]: unknown
}

export interface ContextOptions {
  /**
   * The most tokens (o200k) that the messages may have. If `model` or `window` is given, the default is what the window
   * leaves free, and a larger budget is lowered to that. Otherwise the default is the workspace's setting
   * `resume.budget`, else 20,000.
   */
  budget?: number
  /** The model that receives the messages. The budget leaves a quarter of its window for the answer. */
  model?: string
  window?: number
  /** Other text that the model receives. If `model` or `window` is given, the budget leaves room for this text. */
  systemPrompt?: string
  toolDefinitions?: string
  /** The strategy to try first. If its result does not fit, the strategies after it are tried. */
  strategy?: string
}

/** A message to send to a model. */
export interface PromptMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** A text, or parts if the appended message has parts other than text, such as images. */
  content: string | ContentPart[]
  /** Right after this message, a `tool` message answers each call. */
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
   * Three counts of messages: all that no rewind or clear took away, the included ones, and the ones that a summary
   * replaces. Tool results count, notes (`system`) do not. A message that is neither included nor summarised is left
   * out. With the strategy minimal-state, the state replaces all messages that are not included; `receipt` says how
   * many of these messages the state covers.
   */
  originalMessageCount: number
  includedMessageCount: number
  summarizedMessageCount: number
  /** Counts the messages in the context, and says where the whole history is. */
  receipt: Receipt
  /** The shares of the window; only with `model` or `window`. */
  budget?: ContextBudget
}

/**
 * Counts messages that a person or an agent said. `whole`, `shortened`, `summarised` and `leftOut` add up to
 * `messages`.
 */
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
  /** Results among `toolResultsWhole` that the record itself has cut to head and tail, because they were too long. */
  toolResultsCut: number
  toolResultsPruned: number
  toolCallsInALine: number
  /**
   * The summarised messages that a model's summary covers. The other summarised messages are summarised mechanically.
   */
  byModel?: { model: string; messages: number }
  /** The path of messages.jsonl in the workspace; '' when there is none yet. */
  record: string
  /** The pruned lines. They are in archive files, not in `record`. */
  pruned?: { messages: number; archives: string[] }
}

/** The shares of the model's window. All numbers but the last are tokens. */
export interface ContextBudget {
  modelContextWindow: number
  systemPromptTokens: number
  toolDefinitionTokens: number
  reserveForResponse: number
  availableTokens: number
  currentConversationTokens: number
  utilizationPercent: number
}

/**
 * The conversation of one key. It exists from its first turn on. All methods reject with a CortextError: `unreadable`
 * if a file of the record cannot be read, `unsafe-path` if a symlink or a folder is in place of a file, and `not-found`
 * if another process deletes the conversation meanwhile.
 */
export interface KeyedConversation {
  readonly key: string
  /**
   * Appends one turn, all of it or nothing. When the promise resolves, the turn is on disk and fsynced. Throws `usage`
   * for a message that is not valid, before anything is written; `refused` when the conversation is completed, or when
   * another message or call already has one of the ids; `newer-version` when a newer Cortext wrote the conversation;
   * `locked` when another process holds its lock for more than 15 seconds; `disk-full` or `unwritable` when the turn
   * cannot be written.
   */
  append(messages: readonly NewMessage[]): Promise<Appended>
  /**
   * Builds the messages to send to the model. They have at most as many tokens as the budget, and no tool result is
   * without its call. A key without a conversation gives no messages. Throws `usage` for a `budget` or `window` that is
   * not a whole number of tokens and for an unknown `strategy`.
   */
  context(options?: ContextOptions): Promise<Context>
  /**
   * Returns the lines of the record in order, including the lines before a clear. Pruned messages are not among them,
   * because they are in archive files. A clear and every other event is a line too. A key without a conversation gives
   * no lines.
   */
  messages(): Promise<StoredMessage[]>
  /**
   * Begins the conversation again: later contexts start empty, and the record keeps everything. Returns false when
   * there was nothing to clear. Throws `refused` when the conversation is completed, and `newer-version`, `locked`,
   * `disk-full` or `unwritable` as `append` does.
   */
  clear(): Promise<boolean>
}

export interface Store {
  /** The absolute path of the workspace's folder. */
  readonly root: string
  /** Throws `usage` for a text that cannot be a key: an empty text, one with more than 500 characters, or a secret. */
  conversation(key: string): KeyedConversation
}

/**
 * Opens the workspace that is in a folder or above it (`cortext init` makes a workspace). You need not close it: every
 * call reads and writes the disk, and any number of processes can use a workspace at once. Rejects with a CortextError:
 * `no-workspace` when there is no workspace, `corrupt` when its settings or its registry are not valid, `unreadable`
 * when they cannot be read.
 */
export async function openStore(folder: string): Promise<Store> {
  const cwd = resolve(folder)
  const { home, env, now } = currentEnvironment()
  const ws = openWorkspace({ cwd, home, env: { ...env }, now, interactive: false })
  return { root: ws.root, conversation: (key) => conversationOf(ws, checkKey(ws, key)) }
}

function conversationOf(opened: Workspace, key: string): KeyedConversation {
  return {
    key,
    append: async (messages) =>
      appendTurn(openAgain(opened), { key, messages, nameOf: (index) => `messages[${index}]` }),
    context: async (options) => contextByKey(openAgain(opened), key, options),
    async messages() {
      const ws = openAgain(opened)
      const path = findByKey(ws, key)
      return path === undefined ? [] : readConversation(ws, path).messages
    },
    async clear() {
      const ws = openAgain(opened)
      const path = findByKey(ws, key)
      return path === undefined ? false : clearConversation(ws, path)
    },
  }
}
