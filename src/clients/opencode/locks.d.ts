import type { Environment } from '../../io/environment.ts';
/**
 * Removes locks of processes on this machine that have ended. OpenCode holds a lock while it installs what plugins
 * might need, also at the end of its start. If it ends in that time (headless it often does, and a killed one always),
 * the lock stays, and the next start waits until it is a minute old (1.18.33). Never throws.
 */
export declare function removeDeadLocks(environment: Environment): void;
