import { resolve } from 'node:path'
import { readConversation } from '../conversation/read.ts'
import { currentEnvironment } from '../io/environment.ts'
import { appendTurn, clearConversation } from '../journeys/agent-loop/append-turn.ts'
import { checkKey, findByKey } from '../journeys/agent-loop/by-key.ts'
import { contextByKey } from '../journeys/agent-loop/context-by-key.ts'
import { openAgain, openWorkspace, type Workspace } from '../workspace/open.ts'

export { CortextError, type ErrorCode } from '../errors.ts'

/**
 * What `import 'cortext'` gives to an agent loop of your own: the record and the context builder. The build makes the
 * declaration file only from this file and errors.ts, so the types here use no types of other files.
 */

/** A message that a loop appends. Further keys are kept, but not keys that only the record may set. */
export interface NewMessage {
  /** A `system` message is a system prompt: it is accepted but not recorded. */
  role: 'user' | 'assistant' | 'tool' | 'system'
  /** A text or parts; parts are kept as they are. Null if the message has tool calls and no text. */
  content: string | readonly ContentPart[] | null
  /** Only for an assistant's message. Each call id occurs once in a conversation. */
  tool_calls?: readonly ToolCall[]
  /** Only for a tool's message: the id of the call that it answers. That call is in an earlier message. */
  tool_call_id?: string
  tool_name?: string
  is_error?: boolean
  model?: string
  /** ISO 8601 with its zone. Default: now. */
  timestamp?: string
  /** An id that the loop chooses. A second message with the same id is not written. */
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
  /** The ids, in the record, of the messages that this append wrote. */
  written: string[]
  /**
   * How many of `written` are messages of a person or the agent, as `cortext list` counts them. The others are tool
   * results.
   */
  messages: number
  /** How many messages were not written, because the record has a message with their `id` already. */
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
  /** Set on an event, which nobody said, such as `cleared`. */
  event?: string | undefined
  [key: string]: unknown
}

export interface ContextOptions {
  /**
   * The most tokens (o200k) that the messages may have. With `model` or `window`, the default is what the window leaves
   * free, and a larger number is lowered to that. Otherwise the default is the workspace's setting `resume.budget`,
   * else 20,000.
   */
  budget?: number
  /** The model that receives the messages. The budget leaves a quarter of its window for the answer. */
  model?: string
  window?: number
  /** Other text that the model receives. If `model` or `window` is given, the budget leaves room for this text. */
  systemPrompt?: string
  toolDefinitions?: string
  /** The strategy to try first. If its result is larger than the budget, the strategies after it are tried. */
  strategy?: string
}

/** A message to send to a model. */
export interface PromptMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** A text. Parts, if the appended message has other parts than text, such as images. */
  content: string | ContentPart[]
  /** Each call is answered by a `tool` message right after this message. */
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
   * Three counts of messages, with tool results and without notes (`system`): all messages that no rewind or clear took
   * away, the included ones, and those that a summary replaces. Other messages are left out. With the strategy
   * minimal-state, a state replaces all messages that are not included; `receipt` says how many of them the state
   * covers.
   */
  originalMessageCount: number
  includedMessageCount: number
  summarizedMessageCount: number
  /** Counts the messages in the context, and says where the whole history is. */
  receipt: Receipt
  /** How the window is divided; only with `model` or `window`. */
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
  /** How many of `toolResultsWhole` were so long that the record itself has only their beginning and end. */
  toolResultsCut: number
  toolResultsPruned: number
  toolCallsInALine: number
  /** How many of `summarised` a model has summarised. The program has summarised the others by rules. */
  byModel?: { model: string; messages: number }
  /** The path of messages.jsonl in the workspace; '' when the key has no conversation yet. */
  record: string
  /** Pruned messages, and the archive files that contain them. They are not in `record`. */
  pruned?: { messages: number; archives: string[] }
}

/** How the model's window is divided. All numbers but the last are tokens. */
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
 * The conversation of one key. The first turn makes it. Every method can reject with a CortextError: `unreadable` if a
 * file of the record cannot be read, `unsafe-path` if a symlink or a folder is in the place of a file, `not-found` if
 * another process deletes the conversation meanwhile.
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
   * Builds the messages to send to the model. They fit the budget, and each tool result comes with its call. If the key
   * has no conversation, there are no messages. Throws `usage` for a `budget` or `window` that is not a whole number of
   * tokens and for an unknown `strategy`.
   */
  context(options?: ContextOptions): Promise<Context>
  /**
   * Returns the lines of the record in order: messages and events, also those before a clear. Pruned messages are left
   * out, because they are in archive files. If the key has no conversation, there are no lines.
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
 * Opens the workspace that is in a folder or above it (`cortext init` makes a workspace). You need not close it,
 * because every call reads and writes the disk. Any number of processes can use a workspace at once. Rejects with a
 * CortextError: `no-workspace` when there is no workspace, `corrupt` when its settings or its registry are not valid,
 * `unreadable` when they cannot be read.
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
