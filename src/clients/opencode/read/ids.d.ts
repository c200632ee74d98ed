/**
 * The canonical id of what a native record says. It depends only on the record's own id (`msg_…` and `prt_…` are
 * global), so it is the same on every machine and at every import. `parts` tell several messages of one record apart. A
 * fork has other ids, because OpenCode gives every message in it a new one.
 */
export declare function messageId(nativeId: string, ...parts: string[]): string;
