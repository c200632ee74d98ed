import * as z from 'zod'

/** What a conversation is on disk: `.session/session.json` and the lines of `.session/messages.jsonl` (format 1.0). */

export const STATUSES = ['active', 'paused', 'completed'] as const
export const Status = z.enum(STATUSES)
export type Status = z.infer<typeof Status>

/** One stretch of a native session that belongs to the conversation: an interval in file order, both ends included. */
export const AgentSession = z.looseObject({
  client: z.string(),
  /** The client's own session id: the continuation token of native resume. */
  native_id: z.string(),
  /** Native id of the first and the last record of the stretch. */
  from: z.string().optional(),
  to: z.string().optional(),
  model: z.string().optional(),
  started_at: z.string(),
  last_active: z.string(),
  message_count: z.number().int().nonnegative(),
})
export type AgentSession = z.infer<typeof AgentSession>

const AgentConfig = z.looseObject({
  client: z.string().default('unknown'),
  /** The slash command that gives the agent its instructions, `/workspace.brainstorm`. */
  command: z.string().default('unknown'),
  /** `sha256:<hex>` of the command file that was used. */
  system_prompt_hash: z.string().default('unknown'),
  model: z.string().default('unknown'),
  /** Ids of the MCP tools the agent had, `mcp__server__tool`. */
  tools: z.array(z.string()).default([]),
  /** Why a fact above is unknown: fact → reason. */
  unknown: z.record(z.string(), z.string()).optional(),
})
export type AgentConfig = z.infer<typeof AgentConfig>

export const SessionFile = z.looseObject({
  /** A number in files of early drafts. */
  version: z
    .union([z.string(), z.number()])
    .transform((version) => (String(version) === '1' ? '1.0' : String(version)))
    .default('1.0'),
  conversation_id: z.string(),
  conversation_type: z.string(),
  title: z.string().default(''),
  status: Status.default('paused'),
  created_at: z.string(),
  last_active: z.string(),
  message_count: z.number().int().nonnegative().default(0),
  token_count: z.number().int().nonnegative().default(0),
  agent_config: AgentConfig.prefault({}),
  context_summary: z.string().default(''),
  repository: z
    .looseObject({
      head: z.string().optional(),
      branch: z.string().optional(),
      dirty: z.boolean().optional(),
    })
    .optional(),
  agent_sessions: z.array(AgentSession).default([]),
  archived_at: z.string().optional(),
  key: z.string().optional(),
  forked_from: z.looseObject({ path: z.string(), message_id: z.string() }).optional(),
  parent: z.string().optional(),
  tags: z.array(z.string()).optional(),
})
export type SessionFile = z.infer<typeof SessionFile>

/** The major version that this program writes; a newer one is listed and read, never written. */
export const MAJOR_VERSION = 1

const ROLES = ['user', 'assistant', 'tool', 'system'] as const

export const ToolCall = z.looseObject({ id: z.string(), name: z.string(), arguments: z.unknown() })
export type ToolCall = z.infer<typeof ToolCall>

export const Attachment = z.looseObject({
  media_type: z.string(),
  /** Of the bytes that lie in `attachments/<sha256>`. */
  sha256: z.string(),
  bytes: z.number(),
  name: z.string().optional(),
})
export type Attachment = z.infer<typeof Attachment>

const EVENTS = ['started', 'resumed', 'compacted', 'rewound', 'cleared', 'pruned', 'unknown'] as const
export type EventName = (typeof EVENTS)[number]

/**
 * One line of messages.jsonl. Required: id, role, content, timestamp. Unknown keys are kept.
 * The unit is one API message, however many transcript records made it.
 */
export const Message = z.looseObject({
  /** Hash of client and native message id: the same on every machine and at every import. */
  id: z.string(),
  role: z.enum(ROLES),
  /** Text, or the parts where the source had parts. */
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
  /** ISO 8601, UTC. */
  timestamp: z.string(),
  client: z.string().optional(),
  model: z.string().optional(),
  reasoning: z.string().optional(),
  tool_calls: z.array(ToolCall).optional(),
  /** On role `tool`: the call that this answers. */
  tool_call_id: z.string().optional(),
  tool_name: z.string().optional(),
  is_error: z.boolean().optional(),
  tokens: z.number().optional(),
  attachments: z.array(Attachment).optional(),
  /** The content was cut: size and hash of the whole, which lies in `attachments/`. */
  truncated: z.looseObject({ bytes: z.number(), sha256: z.string() }).optional(),
  parent_id: z.string().optional(),
  /** Id of the message's first record in the native transcript. */
  native_id: z.string().optional(),
  /** The native session that it was said in. */
  native_session: z.string().optional(),
  /**
   * Place within the native session: line number (0-based) of the message's first record. A fraction between two
   * numbers where a record was written below what answers it; then it may be below 0 too.
   */
  seq: z.number().optional(),
  event: z.string().optional(),
})
export type Message = z.infer<typeof Message>
