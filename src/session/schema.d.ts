import * as z from '../zod.ts';
/** What a conversation is on disk: `.session/session.json` and the lines of `.session/messages.jsonl` (format 1.0). */
export declare const STATUSES: readonly ['active', 'paused', 'completed'];
export declare const Status: z.ZodMiniEnum<{
    active: "active";
    completed: "completed";
    paused: "paused";
}>;
export type Status = z.infer<typeof Status>;
/** One segment of a native session that belongs to the conversation, in file order, with both ends included. */
export declare const AgentSession: z.ZodMiniObject<{
    client: z.ZodMiniString<string>;
    native_id: z.ZodMiniString<string>;
    from: z.ZodMiniOptional<z.ZodMiniString<string>>;
    to: z.ZodMiniOptional<z.ZodMiniString<string>>;
    model: z.ZodMiniOptional<z.ZodMiniString<string>>;
    started_at: z.ZodMiniString<string>;
    last_active: z.ZodMiniString<string>;
    message_count: z.ZodMiniInt;
}, z.core.$loose>;
export type AgentSession = z.infer<typeof AgentSession>;
export declare const SessionFile: z.ZodMiniObject<{
    version: z.ZodMiniDefault<z.ZodMiniPipe<z.ZodMiniUnion<readonly [z.ZodMiniString<string>, z.ZodMiniNumber<number>]>, z.ZodMiniTransform<string, string | number>>>;
    conversation_id: z.ZodMiniString<string>;
    conversation_type: z.ZodMiniString<string>;
    title: z.ZodMiniDefault<z.ZodMiniString<string>>;
    status: z.ZodMiniDefault<z.ZodMiniEnum<{
        active: "active";
        completed: "completed";
        paused: "paused";
    }>>;
    created_at: z.ZodMiniString<string>;
    last_active: z.ZodMiniString<string>;
    message_count: z.ZodMiniDefault<z.ZodMiniInt>;
    token_count: z.ZodMiniDefault<z.ZodMiniInt>;
    agent_config: z.ZodMiniPrefault<z.ZodMiniObject<{
        client: z.ZodMiniDefault<z.ZodMiniString<string>>;
        command: z.ZodMiniDefault<z.ZodMiniString<string>>;
        system_prompt_hash: z.ZodMiniDefault<z.ZodMiniString<string>>;
        model: z.ZodMiniDefault<z.ZodMiniString<string>>;
        tools: z.ZodMiniDefault<z.ZodMiniArray<z.ZodMiniString<string>>>;
        unknown: z.ZodMiniOptional<z.ZodMiniRecord<z.ZodMiniString<string>, z.ZodMiniString<string>>>;
    }, z.core.$loose>>;
    context_summary: z.ZodMiniDefault<z.ZodMiniString<string>>;
    repository: z.ZodMiniOptional<z.ZodMiniObject<{
        head: z.ZodMiniOptional<z.ZodMiniString<string>>;
        branch: z.ZodMiniOptional<z.ZodMiniString<string>>;
        dirty: z.ZodMiniOptional<z.ZodMiniBoolean<boolean>>;
    }, z.core.$loose>>;
    agent_sessions: z.ZodMiniDefault<z.ZodMiniArray<z.ZodMiniObject<{
        client: z.ZodMiniString<string>;
        native_id: z.ZodMiniString<string>;
        from: z.ZodMiniOptional<z.ZodMiniString<string>>;
        to: z.ZodMiniOptional<z.ZodMiniString<string>>;
        model: z.ZodMiniOptional<z.ZodMiniString<string>>;
        started_at: z.ZodMiniString<string>;
        last_active: z.ZodMiniString<string>;
        message_count: z.ZodMiniInt;
    }, z.core.$loose>>>;
    archived_at: z.ZodMiniOptional<z.ZodMiniString<string>>;
    key: z.ZodMiniOptional<z.ZodMiniString<string>>;
    forked_from: z.ZodMiniOptional<z.ZodMiniObject<{
        path: z.ZodMiniString<string>;
        message_id: z.ZodMiniString<string>;
        origins: z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniString<string>>>;
    }, z.core.$loose>>;
    parent: z.ZodMiniOptional<z.ZodMiniString<string>>;
    tags: z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniString<string>>>;
    origin: z.ZodMiniOptional<z.ZodMiniString<string>>;
    merged: z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniUnknown>>;
}, z.core.$loose>;
export type SessionFile = z.infer<typeof SessionFile>;
/** The major version that this program writes. Files of a newer one are listed and read, never written. */
export declare const MAJOR_VERSION = 1;
export declare const ToolCall: z.ZodMiniObject<{
    id: z.ZodMiniString<string>;
    name: z.ZodMiniString<string>;
    arguments: z.ZodMiniUnknown;
}, z.core.$loose>;
export type ToolCall = z.infer<typeof ToolCall>;
export declare const Attachment: z.ZodMiniObject<{
    media_type: z.ZodMiniString<string>;
    sha256: z.ZodMiniString<string>;
    bytes: z.ZodMiniNumber<number>;
    name: z.ZodMiniOptional<z.ZodMiniString<string>>;
}, z.core.$loose>;
export type Attachment = z.infer<typeof Attachment>;
declare const EVENTS: readonly ['started', 'resumed', 'compacted', 'interrupted', 'rewound', 'cleared', 'pruned', 'unknown'];
export type EventName = (typeof EVENTS)[number];
/**
 * One line of messages.jsonl. It requires id, role, content and timestamp, and keeps unknown keys. One line is one API
 * message, however many transcript records it came from.
 */
export declare const Message: z.ZodMiniObject<{
    id: z.ZodMiniString<string>;
    role: z.ZodMiniEnum<{
        assistant: "assistant";
        system: "system";
        tool: "tool";
        user: "user";
    }>;
    content: z.ZodMiniUnion<readonly [z.ZodMiniString<string>, z.ZodMiniArray<z.ZodMiniObject<{
        type: z.ZodMiniString<string>;
    }, z.core.$loose>>]>;
    timestamp: z.ZodMiniString<string>;
    client: z.ZodMiniOptional<z.ZodMiniString<string>>;
    model: z.ZodMiniOptional<z.ZodMiniString<string>>;
    reasoning: z.ZodMiniOptional<z.ZodMiniString<string>>;
    tool_calls: z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniObject<{
        id: z.ZodMiniString<string>;
        name: z.ZodMiniString<string>;
        arguments: z.ZodMiniUnknown;
    }, z.core.$loose>>>;
    tool_call_id: z.ZodMiniOptional<z.ZodMiniString<string>>;
    tool_name: z.ZodMiniOptional<z.ZodMiniString<string>>;
    is_error: z.ZodMiniOptional<z.ZodMiniBoolean<boolean>>;
    refused: z.ZodMiniOptional<z.ZodMiniBoolean<boolean>>;
    tokens: z.ZodMiniOptional<z.ZodMiniNumber<number>>;
    attachments: z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniObject<{
        media_type: z.ZodMiniString<string>;
        sha256: z.ZodMiniString<string>;
        bytes: z.ZodMiniNumber<number>;
        name: z.ZodMiniOptional<z.ZodMiniString<string>>;
    }, z.core.$loose>>>;
    truncated: z.ZodMiniOptional<z.ZodMiniObject<{
        bytes: z.ZodMiniNumber<number>;
        sha256: z.ZodMiniString<string>;
    }, z.core.$loose>>;
    parent_id: z.ZodMiniOptional<z.ZodMiniString<string>>;
    native_id: z.ZodMiniOptional<z.ZodMiniString<string>>;
    native_session: z.ZodMiniOptional<z.ZodMiniString<string>>;
    seq: z.ZodMiniOptional<z.ZodMiniNumber<number>>;
    event: z.ZodMiniOptional<z.ZodMiniString<string>>;
    origin: z.ZodMiniOptional<z.ZodMiniString<string>>;
    author: z.ZodMiniOptional<z.ZodMiniString<string>>;
}, z.core.$loose>;
export type Message = z.infer<typeof Message>;
/**
 * Whether `Message` accepts a value that came from JSON. The value stays as it is. A line has only a few of the possible
 * keys, so this checks those few, asks zod about what is no plain text or number, and copies nothing. That takes a
 * fraction of the time, which counts for ten thousand lines.
 */
export declare function isMessage(value: unknown): value is Message;
/** Whether a key of a message may have this value. Unknown keys may have any. */
export declare function isMessageField(name: string, value: unknown): boolean;
export {};
