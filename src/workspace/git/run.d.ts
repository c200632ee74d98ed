import type { Environment } from '../../io/environment.ts';
/**
 * The one door to git. Each git gets our settings, a clean environment and a time limit. simple-git asks the questions.
 * execa runs what writes, since hooks need a session of their own, and what is not text.
 */
/**
 * Runs git and returns its output. Rejects with git's words; a question that git answers with a status alone, such as
 * `check-ignore` with no match, gives its output.
 */
export declare function git(root: string, env: Environment['env'], args: string[], input?: string, timeout?: number): Promise<string>;
/** The output of a question where it need not be text. Rejects with git's words. */
export declare function gitBytes(root: string, env: Environment['env'], args: string[], input?: string, timeout?: number): Promise<Buffer>;
/** Whether git could not write because another one may be writing. */
export declare function isLocked(error: unknown): boolean;
/** The last 2,000 characters that git or one of its hooks printed. */
export declare function gitMessage(error: unknown): string;
