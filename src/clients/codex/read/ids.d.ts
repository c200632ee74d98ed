/**
 * The canonical id of what a native item says. Codex keeps the ids of its items in forks and in the files of a rewind, so
 * nothing of the thread goes into it. `parts` tell several messages of one item apart.
 */
export declare function messageId(nativeId: string, ...parts: string[]): string;
