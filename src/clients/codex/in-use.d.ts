import type { Environment } from '../../io/environment.ts';
/**
 * Whether a thread is open where `codex resume` cannot join it: a process of its own writes it, such as a terminal
 * without the background server, `codex exec` or an editor. Codex then shows only that the conversation is open in
 * another app. What the background server has open is no hindrance: the terminal client joins a server that runs, even
 * where it would start none (0.169.0). Each writer holds a lock on a file of the thread's name; we look who does, and
 * never take the lock. False where that cannot be told.
 */
export declare function inUse(environment: Environment, nativeId: string): boolean;
