import * as z from '../zod.ts'

/** The title of a conversation that was started without a title, until its first words give a better one. */
export const DEFAULT_TITLE = 'Untitled'

/** A conversation on disk: `.session/session.json` and the lines of `.session/messages.jsonl` (format 1.0, frozen). */

export const STATUSES = ['active', 'paused', 'completed'] as const
export const Status = z.enum(STATUSES)
export type Status = z.infer<typeof Status>

const Count = z.int().check(z.nonnegative())

/**
 * One segment of a native session that belongs to the conversation: the records of the transcript from `from` to `to`,
 * both included.
 */
export const AgentSession = z.looseObject({
  client: z.string(),
  /** The client's own session id. A native resume passes it to the client. */
  native_id: z.string(),
  /** The native ids of the first and the last record of the segment. */
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  model: z.optional(z.string()),
  started_at: z.string(),
  last_active: z.string(),
  message_count: Count,
})
export type AgentSession = z.infer<typeof AgentSession>

const AgentConfig = z.looseObject({
  client: z._default(z.string(), 'unknown'),
  /** The slash command that gives the agent its instructions, `/workspace.brainstorm`. Absent: there are none. */
  command: z.optional(z.string()),
  /** `sha256:<hex>` of the command file that was used. Absent: there are no instructions. */
  system_prompt_hash: z.optional(z.string()),
  model: z._default(z.string(), 'unknown'),
  /** Ids of the MCP tools that the agent had, `mcp__server__tool`. */
  tools: z._default(z.array(z.string()), []),
  /** Why a fact above is unknown: fact → reason. */
  unknown: z.optional(z.record(z.string(), z.string())),
})

export const SessionFile = z.looseObject({
  /** A file that was written by hand may have a number here. */
  version: z._default(
    z.pipe(
      z.union([z.string(), z.number()]),
      z.transform((version) => (String(version) === '1' ? '1.0' : String(version))),
    ),
    '1.0',
  ),
  conversation_id: z.string(),
  conversation_type: z.string(),
  title: z._default(z.string(), ''),
  status: z._default(Status, 'paused'),
  created_at: z.string(),
  last_active: z.string(),
  message_count: z._default(Count, 0),
  token_count: z._default(Count, 0),
  agent_config: z.prefault(AgentConfig, {}),
  context_summary: z._default(z.string(), ''),
  repository: z.optional(
    z.looseObject({
      head: z.optional(z.string()),
      branch: z.optional(z.string()),
      dirty: z.optional(z.boolean()),
    }),
  ),
  agent_sessions: z._default(z.array(AgentSession), []),
  archived_at: z.optional(z.string()),
  /** A sync does not send the conversation. */
  keep_here: z.optional(z.boolean()),
  /** The name that an agent loop uses for the conversation: `discord:channel:123`. */
  key: z.optional(z.string()),
  forked_from: z.optional(
    z.looseObject({
      path: z.string(),
      message_id: z.string(),
      /** The origins that the copied lines name. */
      origins: z.optional(z.array(z.string())),
    }),
  ),
  /** For other programs: this one only keeps it. */
  parent: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
  /** Distinguishes the conversation from one that began under the same name in another clone. */
  origin: z.optional(z.string()),
  /**
   * The session.json of other conversations that a merge has put into this folder, until each has a folder of its own.
   */
  merged: z.optional(z.array(z.unknown())),
})
export type SessionFile = z.infer<typeof SessionFile>

/** The major version that this program writes. Files of a newer version are listed and read, but never written. */
export const MAJOR_VERSION = 1

const ROLES = ['user', 'assistant', 'tool', 'system'] as const

export const ToolCall = z.looseObject({ id: z.string(), name: z.string(), arguments: z.unknown() })
export type ToolCall = z.infer<typeof ToolCall>

export const Attachment = z.looseObject({
  media_type: z.string(),
  /** The hash of the bytes in `attachments/<sha256>`. */
  sha256: z.string(),
  bytes: z.number(),
  name: z.optional(z.string()),
})
export type Attachment = z.infer<typeof Attachment>

const EVENTS = [
  'started',
  'resumed',
  'compacted',
  'interrupted',
  'rewound',
  'cleared',
  'pruned',
  'unknown',
] as const
export type EventName = (typeof EVENTS)[number]

/**
 * One line of messages.jsonl. It requires id, role, content and timestamp, and keeps unknown keys. One line is one API
 * message, even if several records of a transcript make it.
 */
export const Message = z.looseObject({
  /** A hash of the client and the native message id. So it is the same on every machine and at every import. */
  id: z.string(),
  role: z.enum(ROLES),
  /** A text, or parts when the source had parts. */
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
  /** ISO 8601, UTC. */
  timestamp: z.string(),
  client: z.optional(z.string()),
  model: z.optional(z.string()),
  reasoning: z.optional(z.string()),
  tool_calls: z.optional(z.array(ToolCall)),
  /**
   * The call that a message with role `tool` answers. With role `user`: the call in whose answer the person said this.
   */
  tool_call_id: z.optional(z.string()),
  tool_name: z.optional(z.string()),
  is_error: z.optional(z.boolean()),
  /** The person did not let the tool run. */
  refused: z.optional(z.boolean()),
  /** The output tokens of an answer, as its client counted them. */
  tokens: z.optional(z.number()),
  attachments: z.optional(z.array(Attachment)),
  /** The content was cut. These are the size and the hash of the whole content, which is in `attachments/`. */
  truncated: z.optional(z.looseObject({ bytes: z.number(), sha256: z.string() })),
  /** The message before this one in the talk, if that is not the line above. */
  parent_id: z.optional(z.string()),
  /** The id of the message's first record in the native transcript. */
  native_id: z.optional(z.string()),
  /** The native session in which the message was said. */
  native_session: z.optional(z.string()),
  /**
   * The place within the native session: the line number (0-based) of the message's first record. A record that the
   * transcript has below its answer gets a fraction between two line numbers. Before line 0, the fraction is below 0.
   */
  seq: z.optional(z.number()),
  event: z.optional(z.string()),
  /** The conversation that the line belongs to: `origin` of its session.json. */
  origin: z.optional(z.string()),
  /** The person who typed the message, where others may read it. The author of an imported message is not guessed. */
  author: z.optional(z.string()),
})
export type Message = z.infer<typeof Message>

const FIELDS = new Map<string, z.core.$ZodType>(Object.entries(Message.shape))
const REQUIRED = [...FIELDS.keys()].filter((name) => !isMessageField(name, undefined))
/** The keys that accept every text, and those that accept every number. Most of a line's keys are among them. */
const ACCEPTS_ANY = {
  string: new Set([...FIELDS.keys()].filter((name) => isMessageField(name, ''))),
  number: new Set([...FIELDS.keys()].filter((name) => isMessageField(name, 0.5))),
}

/**
 * Whether `Message` accepts a value that came from JSON. Zod alone takes several times as long, which counts for ten
 * thousand lines. So this function checks only the keys that the line has. Texts and numbers need no zod if their key
 * accepts every text or every number. The function copies and changes nothing.
 */
export function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = value as Record<string, unknown>
  return (
    REQUIRED.every((name) => Object.hasOwn(fields, name)) &&
    Object.keys(fields).every((name) => acceptsAny(name, fields[name]) || isMessageField(name, fields[name]))
  )
}

function acceptsAny(name: string, value: unknown): boolean {
  if (typeof value === 'string') return ACCEPTS_ANY.string.has(name)
  return typeof value === 'number' && ACCEPTS_ANY.number.has(name)
}

/** Whether a key of a message may have this value. Unknown keys may have any. */
export function isMessageField(name: string, value: unknown): boolean {
  const field = FIELDS.get(name)
  return field === undefined || z.safeParse(field, value).success
}
