/**
 * The canonical id of what a native record says. The client's own ids are UUIDs and stay when a session is copied. Any
 * other id (a hand-made file has `m1`) means something only within its session. `parts` tell several messages of one
 * record apart.
 */
export declare function messageId(session: string, nativeId: string, ...parts: string[]): string;
