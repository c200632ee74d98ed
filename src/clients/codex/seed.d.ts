import type { Handoff } from '../contract/launch.ts';
/**
 * Makes the rollout of a thread of one turn. The screen shows the command as it was typed and the recap, which have
 * events; the model reads every `response_item` once, in this order. Instructions, resume block and history are one
 * message: a compaction keeps the begin and the end of a long one, and drops `<skill>`, so the instructions outlast it
 * (0.169.0). Its role is the person's and not the developer's, because a record may be a stranger's. The model's
 * provider is not in it: `prepare` asks Codex for that.
 */
export declare function seedOf({ nativeId, cwd, command, args, context, recap }: Handoff): string;
/** Makes an id in Codex's form, a UUID of version 7: its first 48 bits are the time in milliseconds. */
export declare function newSessionId(now: Date): string;
/** The time that an id of Codex's holds. */
export declare function timeOf(nativeId: string): number;
